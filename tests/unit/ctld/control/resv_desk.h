/*
 * resv_desk.h - reservations in the words of scontrol, for tests that read like an operator's
 * story. The clock of a lab stands at 1800000000; times are told in seconds since then.
 */
#pragma once

#include "cli/scontrol/ask_reservation.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/reserve/reserve.h"
#include "ctld/control/resv/resv.h"
#include "unit/ctld/control/lab.h"

#define RESV_BEGIN INT64_C(1800000000)

/* Asks for it; returns "", or the refusal in Slurm's words. */
static inline const char *resv_ask_as(struct lab *lab, uint32_t uid, enum reservation_verb verb,
                                      const char *text)
{
    struct caller caller = lab_caller(uid);
    struct words words = words_split(text, " ");
    AUTO(reservation_changed) struct reservation_changed changed;
    struct reservation_change request = { .verb = verb };

    request.ask = xmalloc(sizeof(*request.ask));
    reservation_ask_init(request.ask);
    reservation_changed_init(&changed);
    lab->err = (struct err){ 0 };
    lab->rc = ask_parse_reservation(verb, (int)words.n, words.at, lab->now.wall_s, request.ask,
                                    &lab->err);
    ck_assert_msg(lab->rc == 0, "'%s': %s", text, lab->err.text);
    lab->rc = reserve_change(lab_act(lab, &caller), &request, &changed, &lab->err);
    reservation_ask_clear(request.ask);
    free(request.ask);
    words_clear(&words);
    lab_settle(lab);
    return lab->rc < 0 ? err_string(lab->rc) : "";
}

static inline const char *resv_create(struct lab *lab, const char *text)
{
    return resv_ask_as(lab, 0, RESV_CREATE, text);
}

static inline const char *resv_update(struct lab *lab, const char *text)
{
    return resv_ask_as(lab, 0, RESV_UPDATE, text);
}

static inline const char *resv_delete(struct lab *lab, const char *name)
{
    AUTO_FREE char *text = xasprintf("reservationname=%s", name);

    return resv_ask_as(lab, 0, RESV_DELETE, text);
}

/* Makes one that must be taken. */
static inline void resv_have(struct lab *lab, const char *text)
{
    const char *said = resv_create(lab, text);

    ck_assert_msg(!*said, "'%s': %s (%s)", text, said, lab->err.text);
    lab_wait(lab, 0);
}

static inline const struct reservation_record *resv_get(const struct lab *lab, const char *name)
{
    return resv_find(lab->control, name);
}

/* "600-4200 n[1-2]", "gone"; and of parts "n1:0,1". Valid until the next call. */
static inline const char *resv_shown(const struct lab *lab, const char *name)
{
    static char text[256];
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct reservation_record *resv = resv_get(lab, name);

    if (!resv)
        return "gone";
    strbuf_addf(&out, "%lld-%lld %s", (long long)(resv->start - RESV_BEGIN),
                (long long)(resv->end - RESV_BEGIN), resv->nodes ? resv->nodes : "-");
    for (uint32_t i = 0; i < resv->parts_n; i++) {
        strbuf_addf(&out, " %s:", resv->parts[i].node);
        numbers_format(resv->parts[i].cpus, resv->parts[i].cpus_n, &out);
    }
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

/* "DAILY,SPEC_NODES". Valid until the next call. */
static inline const char *resv_flags(const struct lab *lab, const char *name)
{
    static char text[256];
    AUTO(strbuf) struct strbuf out = { 0 };

    reservation_flags_format(resv_get(lab, name)->flags, resv_get(lab, name)->purge_comp_s, &out);
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

/* In how many seconds of the story the job begins, or is planned to; -1: at no time. */
static inline int64_t resv_start_of(const struct lab *lab, uint32_t id)
{
    AUTO(job_info) struct job_info info;
    const struct job *job = lab_job(lab, id);

    control_job_info(lab->control, lab->now, job, &info);
    if (job->rec.state != JOB_PENDING)
        return job->rec.start_time - RESV_BEGIN;
    return info.planned_start ? info.planned_start - RESV_BEGIN : -1;
}

/* Where it runs, or ran; "" nowhere. */
static inline const char *resv_nodes_of(const struct lab *lab, uint32_t id)
{
    const struct job *job = lab_job(lab, id);
    static char text[128];

    text[0] = '\0';
    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "," : "",
                 job->rec.nodes[i].name);
    return text;
}
