#pragma once
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlversion.h>

// xmlFree is a variable with a function pointer, which Swift treats as shared mutable state.
static inline void cxml2_free(void *memory) { xmlFree(memory); }
