# shellcheck shell=bash
# mariadb.sh - a MariaDB server for a test, in a directory of its own; to be sourced.
#
#     mariadb_there                      true if one is installed
#     mariadb_make DIR                   an empty server, copied from one that is made once for the build
#     mariadb_run DIR [OPTION...]        runs it, as this process (exec), on DIR/socket
#     mariadb_sql DIR [OPTION...]        an SQL shell of its root
#
# It speaks on the socket alone unless an option says --skip-networking=0, and its logs are small:
# a test has few rows.

mariadb_there() {
    command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null && command -v mariadb >/dev/null
}

mariadb_small=(--innodb-log-file-size=4M --innodb-data-file-path=ibdata1:4M:autoextend
    --innodb-buffer-pool-size=16M --innodb-flush-method=fsync)

mariadb_make() {
    local template=$SLUICE_BUILD/mariadb

    (
        flock 9
        [ -d "$template/mysql" ] && exit 0
        rm -rf "$template.new"
        mariadb-install-db --no-defaults --user="$(id -un)" --auth-root-authentication-method=normal \
            --skip-test-db --datadir="$template.new" "${mariadb_small[@]}" >"$template.log" 2>&1 &&
            mv "$template.new" "$template"
    ) 9>"$template.lock" || { cat "$template.log"; return 1; }
    mkdir -p "$1"
    cp -r "$template" "$1/data"
}

mariadb_run() {
    local dir=$1

    shift
    exec mariadbd --no-defaults --user="$(id -un)" --datadir="$dir/data" --socket="$dir/socket" \
        --pid-file="$dir/pid" --skip-networking --skip-log-bin "${mariadb_small[@]}" "$@" \
        >>"$dir/log" 2>&1 </dev/null
}

mariadb_sql() {
    local dir=$1

    shift
    mariadb --no-defaults --socket="$dir/socket" -u root -N "$@"
}
