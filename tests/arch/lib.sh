# lib.sh - what the tree checks share; sourced by tests/arch/*.test.
# shellcheck shell=bash

source_dir=${SLUICE_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
cd "$source_dir" || exit 1

# skip WHY: ends the test as not run.
skip() {
    echo "skipped: $1"
    exit 77
}

# tree_files PATTERN...: files of the tree, without what a build or the lab leaves there.
tree_files() {
    if [ -e .git ] && command -v git >/dev/null; then
        git -c safe.directory='*' ls-files --cached --others --exclude-standard -- "$@" |
            while read -r file; do
                [ ! -f "$file" ] || printf '%s\n' "$file"
            done
    else
        find . \( -name 'build*' -o -name .lab \) -prune -o -type f -printf '%P\n' |
            while read -r file; do
                matches_any "$file" "$@" && printf '%s\n' "$file"
            done
    fi
}

matches_any() {
    local file=$1 pattern
    shift
    for pattern; do
        # shellcheck disable=SC2053 # patterns are meant as patterns
        [[ $file == $pattern ]] && return 0
    done
    return 1
}
