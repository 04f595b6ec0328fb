// Word endings, each with its replacements: "ies:y" makes "story" of "stories". The index is built with this very list.
"use strict";
var archiverEndings = "ies:y|y:ies|s:|es:|ing:|ing:e|ed:|ed:e|en:|er:|e:|n:|x:|aux:al|al:aux|ces:z|z:ces|e:ing|e:ed|:s|:es|:ing|:ed|:n|:en|:e|:er";
