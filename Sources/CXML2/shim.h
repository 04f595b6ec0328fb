#pragma once
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlversion.h>

// xmlFree is a variable with a function pointer, which Swift treats as shared mutable state.
static inline void cxml2_free(void *memory) { xmlFree(memory); }

static inline void cxml2_drop(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

// Errors of encodings pass by the options of a parser and are printed, unless the thread has a handler.
static inline void cxml2_silence(void) { xmlSetGenericErrorFunc(0, cxml2_drop); }
