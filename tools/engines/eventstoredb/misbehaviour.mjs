/**
 * What goes wrong on demand. A plan names the call (`append`, `read`), the kind, and how often: `times` (1 when absent), or
 * `every` nth call for ever.
 */
export class Misbehaviour {
  #plans = [];

  plan(plan) {
    this.#plans.push({ times: plan.every === undefined ? 1 : Infinity, ...plan, seen: 0 });
  }

  clear() {
    this.#plans = [];
  }

  /** The plan for this call, if one is due. */
  next(call) {
    const plan = this.#plans.find((each) => each.call === call && each.times > 0 && ++each.seen % (each.every ?? 1) === 0);
    if (plan) plan.times -= 1;
    return plan;
  }
}
