import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { TEXTS } from '../texts.js';

interface PlaceProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A place of the console: its heading, what can be done here, and its content. */
export function Place({ title, about, actions, children }: PlaceProps) {
  useEffect(() => {
    document.title = `${title} · ${TEXTS.title}`;
  }, [title]);
  return (
    <div class="stack wide">
      <header class="stack tight">
        <div class="row apart">
          <h1>{title}</h1>
          {actions && <div class="row">{actions}</div>}
        </div>
        {about && <p class="muted">{about}</p>}
      </header>
      {children}
    </div>
  );
}

/** A part of a place with a heading of its own. */
export function Section({ title, actions, children }: PlaceProps) {
  return (
    <section class="stack">
      <div class="row apart">
        <h2>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
