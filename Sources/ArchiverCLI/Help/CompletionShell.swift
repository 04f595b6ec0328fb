/// A shell with a completion script. The script asks the program for the candidates; see `Completion`.
enum CompletionShell: String, Sendable, CaseIterable {
  /// bash 3.2 and later; the script needs nothing beyond bash.
  case bash
  case zsh, fish

  var script: String {
    switch self {
    case .bash:
      #"""
      # bash completion for archiver
      _archiver() {
        local cur="${COMP_WORDS[COMP_CWORD]}" line IFS=$'\n'
        COMPREPLY=()
        while read -r line; do
          case "$line" in
            :files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
            :folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
            "$cur"*) COMPREPLY+=("${line%%$'\t'*}") ;;
          esac
        done < <(archiver \#(Completion.request) "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -F _archiver archiver

      """#
    case .zsh:
      #"""
      #compdef archiver
      _archiver() {
        local line
        local -a found
        for line in "${(@f)$(archiver \#(Completion.request) "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
          case $line in
            :files) compset -P '--*='; _files; return ;;
            :folders) compset -P '--*='; _files -/; return ;;
            ?*) found+=("${${line//:/\\:}/$'\t'/:}") ;;
          esac
        done
        _describe archiver found
      }
      if [ "$funcstack[1]" = "_archiver" ]; then
        _archiver "$@"
      else
        compdef _archiver archiver
      fi

      """#
    case .fish:
      #"""
      # fish completion for archiver
      function __archiver
        set -l words (commandline -opc)
        set -l word (commandline -ct)
        archiver \#(Completion.request) $words[2..] "$word" 2>/dev/null
      end
      complete -c archiver -f -a '(__archiver | string match -v ":*")'
      complete -c archiver -n 'contains :files (__archiver)' -F
      complete -c archiver -n 'contains :folders (__archiver)' -a '(__fish_complete_directories)'

      """#
    }
  }
}
