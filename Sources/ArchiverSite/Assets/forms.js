// Words that are written in several ways. The index is built with these very lists: the commonest words,
// whose neighbours are kept so that phrases of them are found, and what words end in, each with what may
// stand for it: "ies:y" makes "story" of "stories".
"use strict";
var archiverCommonWords = "the of and to in a is that it was for on as with by he at from his be not or this but we you are i an if so do who what der die das und zu den ist ein eine nicht mit von im le la les de des et un une est en que el los y es se del";
var archiverEndings = "ies:y|y:ies|s:|es:|ing:|ing:e|ed:|ed:e|en:|er:|e:|n:|x:|aux:al|al:aux|ces:z|z:ces|e:ing|e:ed|:s|:es|:ing|:ed|:n|:en|:e|:er";
