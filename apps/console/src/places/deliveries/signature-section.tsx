import { useState } from 'preact/hooks';
import { Choice, Field, Form } from '../../parts/fields.js';
import { Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { hasCrypto } from '../../parts/standard-signature.js';
import { Status } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import { useAction } from '../../state/use-action.js';
import type { Attempt } from './attempt.js';
import { checkSignatures, type SignatureCheck } from './signature.js';
import { ONE_DELIVERY_TEXTS, SIGNATURE_TEXTS as TEXTS } from './texts.js';

interface SignatureSectionProps {
  /** Those with request headers, newest first. */
  readonly sent: readonly Attempt[];
  /** Null where it is not kept. */
  readonly body: string | null;
}

/** Checks in the page whether a request was signed with a secret. */
export function SignatureSection({ sent, body }: SignatureSectionProps) {
  return (
    <Section title={TEXTS.title}>
      {!hasCrypto() ? (
        <p class="card warning">{TEXTS.noCrypto}</p>
      ) : body === null || sent.length === 0 ? (
        <p class="muted">{TEXTS.noRequest}</p>
      ) : (
        <SignatureForm sent={sent} body={body} />
      )}
    </Section>
  );
}

function SignatureForm({ sent, body }: { readonly sent: readonly Attempt[]; readonly body: string }) {
  const [checks, setChecks] = useState<readonly SignatureCheck[]>([]);
  const { run, problem } = useAction();
  const check = ({ secret = '', attempt }: Record<string, string>) => {
    const headers = sent.find(({ id }) => id === attempt)?.request_headers ?? {};
    run(async () => setChecks(await checkSignatures({ headers, body }, secret.trim())));
  };
  return (
    <>
      <Form class="row end" onSubmit={check}>
        <Choice
          label={TEXTS.attempt}
          name="attempt"
          value={sent[0]?.id}
          options={sent.map(({ id, attempt }) => [id, ONE_DELIVERY_TEXTS.attempt.heading(attempt)] as const)}
          onChange={() => setChecks([])}
        />
        <Field label={TEXTS.secret} name="secret" type="password" required onInput={() => setChecks([])} />
        <button type="submit">{TEXTS.check}</button>
      </Form>
      <p class="small muted">{TEXTS.about}</p>
      <ProblemNote problem={problem} />
      <div class="stack" role="status">
        {checks.map((each) => (
          <div key={each.scheme} class="card stack tight">
            <span class="row">
              <Verdict result={each.result} /> <strong>{each.scheme}</strong>
            </span>
            <span>{each.reason}</span>
            {each.signedAt !== null && Number.isFinite(each.signedAt) && (
              <span class="small muted">
                {TEXTS.signedAt} <Time at={new Date(each.signedAt * 1_000).toISOString()} whole />
              </span>
            )}
          </div>
        ))}
      </div>
    </>
  );
}

const LIKE = { right: 'succeeded', wrong: 'failed', absent: 'pending' } as const;

function Verdict({ result }: Pick<SignatureCheck, 'result'>) {
  return <Status status={TEXTS[result]} like={LIKE[result]} />;
}
