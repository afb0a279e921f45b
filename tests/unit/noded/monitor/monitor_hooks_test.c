/* Orders for programs that root runs, from a network half that may have been taken over. */
#include "unit/noded/monitor/monitor_lab.h"

/* A Prolog or Epilog that the controller has ordered, asked for by the one verb or the other. */
static int ask_hook(struct lab *lab, enum priv_verb verb, enum hook_kind kind, struct strbuf *text)
{
    AUTO(strbuf) struct strbuf encoded = { 0 }, bytes = { 0 };
    uint8_t signature[CRYPT_SIGN_N];
    struct hook_cred cred;

    hook_cred_init(&cred);
    cred.label = (char *)(uintptr_t)HOOK_CRED_LABEL;
    cred.cluster = (char *)(uintptr_t) "rig";
    cred.incarnation = 1;
    cred.node = (char *)(uintptr_t)RIG_NODE;
    cred.boot_id = (char *)(uintptr_t) "boot";
    cred.job_id = 7;
    cred.launch_number = 1;
    cred.kind = kind;
    schema_encode(hook_cred_schema(), &cred, &encoded);
    crypt_sign(&lab->key, encoded.data, encoded.len, signature);
    strbuf_add(&bytes, signature, sizeof(signature));
    strbuf_add(&bytes, encoded.data, encoded.len);
    return ask(lab, verb, &bytes, NULL, 0, text);
}

static void forget_hooks(struct lab *lab)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_forget it = { 7, 0, 1 };

    priv_forget_encode(&it, &bytes);
    ask_ok(lab, PRIV_HOOK_FORGET, &bytes);
}

/* A lab with programs that write down as what they run. */
static void open_hook_lab(struct lab *lab)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    FILE *file;

    open_lab(lab, "#!/bin/sh\n");
    lab->program = xasprintf("%s/program", lab->rig.dir);
    file = fopen(lab->program, "we");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\necho $SLURM_SCRIPT_CONTEXT >>%s/out/ran\n", lab->rig.dir);
    fclose(file);
    ck_assert_int_eq(chmod(lab->program, 0755), 0);
    kill_monitor(lab);
    start_monitor(lab);
    ck_assert_int_eq(ask_key(lab, 1, &text), 0);
}

static void wait_hook_report(struct lab *lab, uint32_t n)
{
    while (lab->hook_reports_n < n)
        (void)next(lab);
}

/* ---- tests ---- */

START_TEST(a_prolog_and_an_epilog_run_once_also_after_they_were_forgotten)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    open_hook_lab(&lab);
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_PROLOG, &text), 0);
    wait_hook_report(&lab, 1);
    forget_hooks(&lab);
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_PROLOG, &text), E_STALE);
    ck_assert_str_eq(strbuf_text(&text), "job 7: the Prolog of launch 1 was run and forgotten");
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_EPILOG, &text), 0);
    end_job(&lab, 1);
    wait_hook_report(&lab, 2);
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_EPILOG, &text), 0); /* of which it tells */
    forget_hooks(&lab);
    lab.clean_job = 0;
    end_job(&lab, 1);
    while (lab.clean_job != 7)
        (void)next(&lab);
    kill_monitor(&lab);
    start_monitor(&lab);
    ck_assert_int_eq(ask_key(&lab, 1, &text), 0);
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_PROLOG, &text), E_STALE);
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_EPILOG, &text), E_STALE);

    AUTO_FREE char *ran = rig_output(&lab.rig, "ran");
    ck_assert_str_eq(ran, "prolog_slurmd\nepilog_slurmd\n");
    close_lab(&lab);
}
END_TEST

START_TEST(an_order_for_a_prolog_is_none_for_an_epilog)
{
    struct lab lab = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    open_hook_lab(&lab);
    ck_assert_int_eq(ask_hook(&lab, PRIV_EPILOG, HOOK_PROLOG, &text), E_AUTH);
    ck_assert_str_eq(strbuf_text(&text), "job 7: the order is for its Prolog, not its Epilog");
    ck_assert_int_eq(ask_hook(&lab, PRIV_PROLOG, HOOK_EPILOG, &text), E_AUTH);
    end_job(&lab, 1);
    while (lab.clean_job != 7)
        (void)next(&lab);

    AUTO_FREE char *ran = xasprintf("%s/out/ran", lab.rig.dir);
    ck_assert_int_eq(access(ran, F_OK), -1);
    close_lab(&lab);
}
END_TEST

CHECK_MAIN(monitor_hooks, CASE(a_prolog_and_an_epilog_run_once_also_after_they_were_forgotten),
           CASE(an_order_for_a_prolog_is_none_for_an_epilog))
