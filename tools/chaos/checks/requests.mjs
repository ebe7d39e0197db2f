import { forEach } from '../client.mjs';

const EXPECTED_REFUSALS = ['external_id_taken', 'conversation_handed_off', 'conversation_ended'];
const EXPECTED_REFUSALS_OF = { replay: ['webhook_endpoint_disabled', 'resource_missing'] };
/** Allowed while the service stops or starts. */
const TRANSIENT = [409, 503, 504];

/** A retried deletion may find its endpoint deleted. */
function isExpected({ kind, final, answers, cuts }) {
  const { code } = JSON.parse(final.text).error;
  const isAgain = cuts > 0 || answers.length > 1;
  if (kind === 'deletion') return isAgain && code === 'resource_missing';
  return [...EXPECTED_REFUSALS, ...(EXPECTED_REFUSALS_OF[kind] ?? [])].includes(code);
}

/** The key of a message that is asked for in several ways gives its answer again. */
const isFinalOf = ({ isMixed, final }, answer) => answer === final || (isMixed && answer.text === final?.text);
const isTransient = ({ isMixed }, { status }) => TRANSIENT.includes(status) || (isMixed && status === 202);

export const requests = {
  'every request gets an answer, and none that should not be': ({ asked }) =>
    asked.flatMap((each) => {
      const { key, path, answers, final } = each;
      const odd = answers.filter((answer) => !isFinalOf(each, answer) && !isTransient(each, answer));
      const isFine = final && (final.status < 300 || isExpected(each));
      if (isFine && odd.length === 0) return [];
      return [`${key} ${path}: ${[...odd, final].map((answer) => `${answer?.status} ${answer?.text}`).join(' | ')}`];
    }),

  'the same key gets the same bytes again': async ({ asked, client }) => {
    const broken = [];
    await forEach(
      asked.filter(({ final, keyless }) => final && !keyless),
      async ({ key, method, path, body, final }) => {
        const again = await client.send({ method, path, body, key });
        if (again.replayed && again.status === final.status && again.text === final.text) return;
        broken.push(`${key} ${path}: ${final.status} ${final.text} then ${again.status} ${again.text}`);
      },
    );
    return broken;
  },
};

export const undisturbed = {
  'no request has to be made twice': ({ asked }) =>
    asked
      .filter(
        (each) => each.cuts > 0 || (each.isMixed ? each.answers.some(({ status }) => status >= 500) : each.answers.length !== 1),
      )
      .map(({ key, path, cuts, answers }) => `${key} ${path}: ${cuts} cut, ${answers.length} answers`),
};
