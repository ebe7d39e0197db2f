import type { ErrorCode } from '@domain/kernel/domain-error';
import { ADMIN_ERRORS } from '../http/errors/admin-errors.js';
import { catalogueEntry, ERROR_CATALOGUE } from '../http/errors/error-catalogue.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}
code{overflow-wrap:anywhere;background:#f2f2f2;padding:.1em .3em;border-radius:3px}section{border-top:1px solid #ddd;padding:.5rem .75rem;margin:0 -.75rem}
section:target{background:#fff8d6}h2{font-size:1.1rem;margin:.5rem 0}p{margin:.3rem 0}ul{columns:20rem;padding-left:1.2rem}`;

export function errorsPage(): string {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  const parts = [
    ['Of the client API', codes.filter((code) => !(code in ADMIN_ERRORS))],
    ['Of the admin API', codes.filter((code) => code in ADMIN_ERRORS)],
  ] as const;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Errors</title>
<link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body>
<h1>Errors</h1>
<p>Every error answer has one member, <code>error</code>. Its <code>code</code> is one of these.
<code>Service-Should-Retry</code> says whether the same request may succeed later.
<a href="/docs">All operations.</a></p>
<nav>
${parts.map(([name, those]) => index(name, those)).join('\n')}
</nav>
${parts.flatMap(([, those]) => those.map(section)).join('\n')}
</body>
</html>
`;
}

function index(name: string, codes: readonly ErrorCode[]): string {
  const items = codes.map((code) => `<li><a href="#${code}"><code>${code}</code></a> ${catalogueEntry(code).status}</li>`);
  return `<h2>${name}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

const ADVICE = { always: 'retry later', once: 'retry later, a POST only with its key', never: 'do not retry unchanged' };

function section(code: ErrorCode): string {
  const { status, type, retry, cause, cure } = catalogueEntry(code);
  return `<section id="${code}">
<h2><code>${code}</code></h2>
<p>${status} · ${type} · ${ADVICE[retry ?? 'never']}</p>
<p><b>Cause:</b> ${marked(cause)}</p>
<p><b>Cure:</b> ${marked(cure)}</p>
</section>`;
}

function marked(text: string): string {
  const safe = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return safe.replace(/`([^`]+)`/g, '<code>$1</code>');
}
