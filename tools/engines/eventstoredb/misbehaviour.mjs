/** Failures on demand: the call (`append`, `read`), the kind, and how often, `times` (1 by default) or `every` nth call. */
export class Misbehaviour {
  #plans = [];

  plan(plan) {
    this.#plans.push({ times: plan.every === undefined ? 1 : Infinity, ...plan, seen: 0 });
  }

  clear() {
    this.#plans = [];
  }

  next(call) {
    const plan = this.#plans.find((each) => each.call === call && each.times > 0 && ++each.seen % (each.every ?? 1) === 0);
    if (plan) plan.times -= 1;
    return plan;
  }
}
