import { useState } from 'preact/hooks';
import { TEXTS } from '../texts.js';

const SAID_FOR_MS = 2_000;

/** Copies a text. The clipboard is missing over plain http, so a text beside it can always be selected. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_FOR_MS);
  };
  return (
    <button type="button" class="plain small" onClick={() => void copy().catch(() => undefined)}>
      <span aria-live="polite">{isCopied ? TEXTS.copied : TEXTS.copy}</span>
    </button>
  );
}
