#include "auth/main/keyring.h"

#include <string.h>

#include "common/base/clock.h"

enum { WATCH_MS = 1000 };

static int load(struct keyring *keyring, struct key *ret, struct err *err)
{
    struct err warning = { 0 };
    int rc = key_load(keyring->path, &keyring->policy, ret, &warning, err);

    if (rc == 0 && warning.code)
        log_info(keyring->log, "Warning: %s", warning.text);
    return rc;
}

int keyring_open(struct keyring *keyring, struct err *err)
{
    int rc = load(keyring, &keyring->key, err);

    if (rc == 0)
        authority_use_key(keyring->authority, &keyring->key);
    return rc;
}

static bool said_before(struct keyring *keyring)
{
    struct stat st;

    if (stat(keyring->path, &st) < 0)
        return false;
    if (st.st_ctim.tv_sec == keyring->unfit_since.tv_sec &&
        st.st_ctim.tv_nsec == keyring->unfit_since.tv_nsec)
        return true;
    keyring->unfit_since = st.st_ctim;
    return false;
}

enum taken { TAKEN_NOT, TAKEN_SAME, TAKEN_NEW };

static enum taken take(struct keyring *keyring)
{
    struct err err = { 0 };
    struct key key;

    if (load(keyring, &key, &err) < 0) {
        if (!said_before(keyring))
            log_error(keyring->log, "%s; going on with the key read before (fingerprint %s)",
                      err.text, keyring->key.fingerprint);
        return TAKEN_NOT;
    }

    bool differs = memcmp(&key.subkeys, &keyring->key.subkeys, sizeof(key.subkeys)) != 0;

    if (differs)
        log_info(keyring->log, "keyfile \"%s\" has a new key: fingerprint %s, before it was %s",
                 keyring->path, key.fingerprint, keyring->key.fingerprint);
    keyring->key = key;
    key_wipe(&key);
    authority_use_key(keyring->authority, &keyring->key);
    return differs ? TAKEN_NEW : TAKEN_SAME;
}

bool keyring_refresh(void *arg)
{
    struct keyring *keyring = arg;

    keyring->looked_at_ms = clock_mono_ms();
    return key_has_changed(&keyring->key, keyring->path) && take(keyring) == TAKEN_NEW;
}

void keyring_watch(void *arg)
{
    struct keyring *keyring = arg;

    if (clock_mono_ms() - keyring->looked_at_ms >= WATCH_MS)
        keyring_refresh(keyring);
}

void keyring_reload(struct keyring *keyring)
{
    keyring->unfit_since = (struct timespec){ 0 }; /* whoever asks is told again */
    if (take(keyring) == TAKEN_SAME)
        log_info(keyring->log, "keyfile \"%s\" read again: fingerprint %s", keyring->path,
                 keyring->key.fingerprint);
}
