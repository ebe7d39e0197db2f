import { TEXTS } from '../texts.js';
import { CopyButton } from './copy-button.js';

/** A secret that is shown this once. */
export function SecretNote({ label, secret }: { readonly label: string; readonly secret: string }) {
  return (
    <div class="card note stack tight" role="status">
      <p>
        <strong>{label}</strong> {TEXTS.keepSecret}
      </p>
      <p class="row">
        <code class="text">{secret}</code>
        <CopyButton text={secret} />
      </p>
    </div>
  );
}
