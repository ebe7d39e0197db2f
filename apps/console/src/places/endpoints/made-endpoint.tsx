import { IdLink } from '../../parts/id-link.js';
import { SecretNote } from '../../parts/secret-note.js';
import { TestEvent } from './test-event.js';
import { WORDS } from './texts.js';

export interface Made {
  readonly id: string;
  readonly secret: string;
}

/** An endpoint that was just added: its secret, and what comes next. */
export function MadeEndpoint({ made }: { readonly made: Made }) {
  return (
    <div class="stack tight">
      <SecretNote label={WORDS.secret} secret={made.secret} />
      <p class="row">
        <IdLink id={made.id} /> {WORDS.next} <TestEvent endpointId={made.id} />
      </p>
    </div>
  );
}
