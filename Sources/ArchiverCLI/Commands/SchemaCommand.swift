/// `archiver schema`.
enum SchemaCommand {
  static let command = Command(
    "schema", summary: "print the JSON schema of run --json",
    discussion: [
      "For scripts that read 'archiver run --json': the events, their keys and the types of "
        + "these, as a JSON Schema (draft 2020-12). Every printed line conforms to it."
    ],
    examples: [
      Command.Example("archiver schema | jq '.oneOf[].title'", "The names of all events.")
    ],
    action: { invocation in
      invocation.environment.output.write(EventSchema.json.text)
      return .success
    })
}
