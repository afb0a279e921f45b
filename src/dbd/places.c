#include "dbd/places.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/crypt/crypt.h"
#include "common/text/words.h"

#define STORAGE_DIR      "/var/lib/slurm/slurmdbd" /* StorageLoc's default, */
#define STORAGE_DATABASE "slurm_acct_db"           /* and that of a database */

#define PREFIX       "sluice_"
#define ACCOUNTS     "dbd" /* is no cluster's name as it is written out */
#define PREFIX_NAME  40    /* bytes of a name, written out: with a table's name 64 are taken */
#define PREFIX_START 20    /* of one that is longer, before its sum */

/* ---- the server ---- */

static int set_ssl(struct mariadb_server *server, const char *word, struct err *err)
{
    const struct {
        const char *name;
        const char **at;
    } rows[] = { { "SSL_CA=", &server->ssl_ca },
                 { "SSL_CAPATH=", &server->ssl_capath },
                 { "SSL_CERT=", &server->ssl_cert },
                 { "SSL_CIPHER=", &server->ssl_cipher },
                 { "SSL_KEY=", &server->ssl_key } };

    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const size_t n = strlen(rows[i].name);

        if (strncasecmp(word, rows[i].name, n) != 0)
            continue;
        free((char *)(uintptr_t)*rows[i].at);
        *rows[i].at = xstrdup(word + n);
        return 0;
    }
    return err_set(err, EINVAL,
                   "StorageParameters=...%s: it takes SSL_CA, SSL_CAPATH, SSL_CERT, SSL_CIPHER and "
                   "SSL_KEY, each with '=' and a value",
                   word);
}

static int read_parameters(struct mariadb_server *server, const char *text, struct err *err)
{
    AUTO(words) struct words words = words_split(text ? text : "", ",");
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < words.n; i++)
        rc = set_ssl(server, words.at[i], err);
    return rc;
}

static int init_server(struct places *places, const struct conf_dbd *conf, struct err *err)
{
    places->server = (struct mariadb_server){
        .host = xstrdup(conf->storage_host),
        .backup_host = xstrdup(conf->storage_backup_host),
        .port = (uint16_t)conf->storage_port,
        .user = xstrdup(conf->storage_user ? conf->storage_user : conf->user),
        .password = xstrdup(conf->storage_pass),
        .database = xstrdup(conf->storage_loc ? conf->storage_loc : STORAGE_DATABASE)
    };
    if (conf->storage_pass_script)
        return err_set(err, ENOTSUP,
                       "StoragePassScript=%s: no program is asked for a password; StoragePass= has "
                       "it, in a file that only SlurmUser reads",
                       conf->storage_pass_script);
    if (!mariadb_is_name(places->server.database))
        return err_set(err, EINVAL,
                       "StorageLoc=%s: with accounting_storage/mysql it is the name of a database: "
                       "letters, digits, '_' and '-'",
                       places->server.database);
    return read_parameters(&places->server, conf->storage_parameters, err);
}

/* Only SlurmUser is to know the password. */
static int check_secret(const struct conf_dbd *conf, const char *path, struct err *err)
{
    struct stat status;

    if (!conf->storage_pass || stat(path, &status) < 0 || !(status.st_mode & 077))
        return 0;
    return err_set(err, EPERM,
                   "%s has a StoragePass= and others can read it (mode %03o): `chmod 600 %s`", path,
                   (unsigned)(status.st_mode & 0777), path);
}

int places_init(struct places *places, const struct conf_dbd *conf, const char *path,
                struct err *err)
{
    int rc = 0;

    *places = (struct places){ 0 };
    if (conf->storage == CONF_DBD_MYSQL)
        rc = init_server(places, conf, err);
    else
        places->dir = xstrdup(conf->storage_loc ? conf->storage_loc : STORAGE_DIR);
    if (rc == 0 && places->dir && places->dir[0] != '/')
        rc = err_set(err, EINVAL,
                     "StorageLoc=%s: with accounting_storage/sqlite it is the full path of a "
                     "directory",
                     places->dir);
    if (rc < 0)
        return err_prefix(err, "%s", path);
    return places->dir ? 0 : check_secret(conf, path, err);
}

void places_clear(struct places *places)
{
    const struct mariadb_server *server = &places->server;
    const char *texts[] = { places->dir,     server->host,      server->backup_host,
                            server->user,    server->password,  server->database,
                            server->ssl_ca,  server->ssl_cert,  server->ssl_capath,
                            server->ssl_key, server->ssl_cipher };

    if (server->password)
        explicit_bzero((char *)(uintptr_t)server->password, strlen(server->password));
    for (size_t i = 0; i < ARRAY_N(texts); i++)
        free((char *)(uintptr_t)texts[i]);
    *places = (struct places){ 0 };
}

/* ---- places ---- */

const char *places_text(const struct places *places)
{
    return places->dir ? places->dir : places->server.database;
}

static bool is_plain(char c)
{
    return islower((unsigned char)c) || isdigit((unsigned char)c) || c == '-';
}

/* Writes a name out in bytes of which a table's name may be made, and that are equal only for equal
 * names, also where a server takes capitals for small letters: '$' and two digits for others, '$h'
 * and a sum for the end of what is too long. */
static void write_name(const char *name, struct strbuf *out)
{
    const size_t begin = out->len;
    uint8_t sum[CRYPT_SHA256_N];

    for (const char *at = name; *at; at++) {
        const bool is_taken = at == name && strcmp(name, ACCOUNTS) == 0;

        if (is_plain(*at) && !is_taken)
            strbuf_addc(out, *at);
        else
            strbuf_addf(out, "$%02x", (unsigned char)*at);
    }
    if (out->len - begin <= PREFIX_NAME)
        return;
    crypt_sha256(name, strlen(name), sum);
    strbuf_truncate(out, begin + PREFIX_START);
    strbuf_adds(out, "$h");
    for (int i = 0; i < 9; i++)
        strbuf_addf(out, "%02x", sum[i]);
}

static struct place place_of(const struct places *places, char *text)
{
    if (places->dir)
        return (struct place){ { .dir = text }, text };
    return (struct place){ { .server = &places->server, .prefix = text }, text };
}

struct place places_of_accounts(const struct places *places)
{
    return place_of(places, xstrdup(places->dir ? places->dir : PREFIX ACCOUNTS "_"));
}

struct place places_of_cluster(const struct places *places, const char *name)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (places->dir) {
        strbuf_addf(&text, "%s/clusters/%s", places->dir, name);
    } else {
        strbuf_adds(&text, PREFIX);
        write_name(name, &text);
        strbuf_addc(&text, '_');
    }
    return place_of(places, strbuf_steal(&text));
}

void place_clear(struct place *place)
{
    free(place->text);
    *place = (struct place){ 0 };
}

void place_auto_(struct place *place)
{
    place_clear(place);
}

int places_make_dir(const struct places *places, const char *cluster, struct err *err)
{
    AUTO_FREE char *parent = NULL;
    AUTO_FREE char *dir = NULL;
    const char *dirs[2];

    if (!places->dir)
        return 0;
    if (cluster[0] == '.' || strchr(cluster, '/'))
        return err_set(err, EINVAL, "cluster '%.64s': no name for a directory", cluster);
    parent = xasprintf("%s/clusters", places->dir);
    dir = xasprintf("%s/%s", parent, cluster);
    dirs[0] = parent;
    dirs[1] = dir;
    for (size_t i = 0; i < ARRAY_N(dirs); i++) {
        if (mkdir(dirs[i], 0700) < 0 && errno != EEXIST)
            return err_set(err, errno, "cannot make '%s': %s", dirs[i], strerror(errno));
    }
    return 0;
}
