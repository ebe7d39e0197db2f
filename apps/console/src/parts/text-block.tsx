import { useState } from 'preact/hooks';
import { TEXTS } from '../texts.js';
import { CopyButton } from './copy-button.js';
import { formatCount } from './time.js';

const SHOWN_CHARACTERS = 4_000;

/** A text that somebody outside may have written: shown as it is, cut at a length, never taken for markup. */
export function TextBlock({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_CHARACTERS;
  return (
    <div class="stack tight">
      <div class="row apart">
        <span class="small muted">{label}</span>
        <CopyButton text={text} />
      </div>
      <pre class="block" tabIndex={0} dir="auto" aria-label={label}>
        {isLong && !isWhole ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text}
      </pre>
      {isLong && <ShowAll length={text.length} isWhole={isWhole} onChange={setWhole} />}
    </div>
  );
}

/** What a person or an agent said: with its lines, cut at a length. */
export function Prose({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_CHARACTERS;
  return (
    <>
      <p class="text lines" dir="auto">
        {isLong && !isWhole ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text}
      </p>
      {isLong && <ShowAll length={text.length} isWhole={isWhole} onChange={setWhole} />}
    </>
  );
}

const SHORT_CHARACTERS = 200;

interface ForeignProps {
  readonly text: string | null | undefined;
  /** Within a link, which leads to where all of it stands. */
  readonly isLink?: boolean;
}

/** A short text of somebody outside within a line or a cell, cut at a length. */
export function Foreign({ text, isLink = false }: ForeignProps) {
  const [isWhole, setWhole] = useState(false);
  if (text === null || text === undefined || text === '') return <>{TEXTS.none}</>;
  const isLong = text.length > SHORT_CHARACTERS;
  return (
    <>
      <bdi class="text">{isLong && !isWhole ? `${text.slice(0, SHORT_CHARACTERS)} …` : text}</bdi>
      {isLong && !isLink && <ShowAll length={text.length} isWhole={isWhole} onChange={setWhole} />}
    </>
  );
}

interface ShowAllProps {
  readonly length: number;
  readonly isWhole: boolean;
  readonly onChange: (isWhole: boolean) => void;
}

function ShowAll({ length, isWhole, onChange }: ShowAllProps) {
  return (
    <button type="button" class="plain" onClick={() => onChange(!isWhole)}>
      {isWhole ? TEXTS.less : `${TEXTS.all} (${formatCount(length)})`}
    </button>
  );
}
