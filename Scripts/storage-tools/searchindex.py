"""The files that the list of the library's search index names."""
import json

NAME_LENGTH = 9


def arguments(body):
    """Returns the arguments of the only call of a script."""
    return json.loads(b"[" + body[body.index(b"(") + 1:body.rindex(b")")] + b"]")


def names(text):
    return [text[at:at + NAME_LENGTH] for at in range(0, len(text), NAME_LENGTH)]


def files(body):
    """The paths, from the archive, of the files that library/search/index.js names."""
    segments, directories, wholes, revisions = arguments(body)
    found = []
    for entry in segments + revisions:
        # Other segments of a group, and large ones, have no names of their own.
        found += names(entry[4]) if len(entry) > 4 else []
    found += names(wholes[1]) + directories[1::2]
    return {f"library/search/{name}.js" for name in found}
