#pragma once
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlversion.h>

// xmlFree is a variable that holds a function, which Swift takes for shared mutable state.
static inline void cxml2_free(void *memory) { xmlFree(memory); }
