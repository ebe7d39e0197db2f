import { useState } from 'preact/hooks';
import { postedBody } from '../../api/posted-body.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Loaded } from '../../parts/loaded.js';
import { hasCrypto, newSecret } from '../../parts/standard-signature.js';
import { TextBlock } from '../../parts/text-block.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { isSignedWith, signedHeaders, type SignedHeaders } from './signed-headers.js';
import { WORDS } from './texts.js';

const TEXTS = WORDS.receiver;

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
}

/** Shows what an endpoint would get of these events, signed and verified in the page. */
export function Receiver({ events }: { readonly events: readonly ReceivedEvent[] }) {
  const [secret, setSecret] = useState(newSecret);
  return (
    <>
      <p class="muted">{TEXTS.about}</p>
      {hasCrypto() ? (
        <p class="row">
          {TEXTS.secret} <code class="text">{secret}</code>
          <CopyButton text={secret} />
          <button type="button" onClick={() => setSecret(newSecret())}>
            {TEXTS.newSecret}
          </button>
        </p>
      ) : (
        <p class="card warning">{TEXTS.noCrypto}</p>
      )}
      {events.length === 0 && <p class="muted">{TEXTS.waiting}</p>}
      <ol class="slots stack">
        {events.map((event) => (
          <Received key={event.id} event={event} secret={secret} />
        ))}
      </ol>
    </>
  );
}

interface ReceivedRequest {
  readonly body: string;
  /** Null where the browser cannot sign. */
  readonly headers: SignedHeaders | null;
  readonly isRight: boolean;
}

function Received({ event: { id, type }, secret }: { readonly event: ReceivedEvent; readonly secret: string }) {
  const project = useProject();
  const answer = useAnswer(() => receive(project, id, secret), [project, id, secret]);
  return (
    <li class="card stack tight">
      <Loaded of={answer}>
        {({ body, headers, isRight }) => (
          <details>
            <summary>
              {type} {headers && <Verdict isRight={isRight} />}
            </summary>
            <div class="stack">
              {headers && <TextBlock label={TEXTS.headers} text={textOf(headers)} />}
              <TextBlock label={TEXTS.body} text={body} />
            </div>
          </details>
        )}
      </Loaded>
    </li>
  );
}

function Verdict({ isRight }: { readonly isRight: boolean }) {
  return (
    <span class={`status ${isRight ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{isRight ? '●' : '▲'}</span>
      {isRight ? TEXTS.right : TEXTS.wrong}
    </span>
  );
}

async function receive(project: string, id: string, secret: string): Promise<ReceivedRequest> {
  const body = await postedBody(project, id);
  if (!hasCrypto()) return { body, headers: null, isRight: false };
  const headers = await signedHeaders(secret, id, body);
  return { body, headers, isRight: await isSignedWith(secret, headers, body) };
}

function textOf(headers: SignedHeaders): string {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers });
  return lines.map(([name, value]) => `${name}: ${value}`).join('\n');
}
