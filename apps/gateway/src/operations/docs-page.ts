/** Models are shown where they are used, and there is only one server. */
const STYLE = `.response-col_links,.servers-title,.servers{display:none}
.swagger-ui details>summary{cursor:pointer;font:14px sans-serif}
.swagger-ui details[open]>summary{margin-bottom:1em}
.swagger-ui details .response-col_status{display:none}
.swagger-ui summary{overflow-wrap:anywhere}
.swagger-ui .model-box,.swagger-ui pre{max-width:100%;overflow-x:auto;box-sizing:border-box}
@media(max-width:640px){
.swagger-ui .wrapper,.swagger-ui .opblock-body .table-container{padding:0 8px}
.swagger-ui .opblock .opblock-summary{flex-wrap:wrap}
.swagger-ui .opblock .opblock-summary-path{max-width:none;flex:1 1 60%;overflow-wrap:anywhere}
.swagger-ui table,.swagger-ui tbody,.swagger-ui tr,.swagger-ui td{display:block;width:auto;min-width:0;max-width:none}
.swagger-ui thead{display:none}
.swagger-ui .parameters-col_description input,.swagger-ui .parameters-col_description select{width:100%;max-width:none}
.swagger-ui table tbody tr td{padding:4px 0;min-width:0}
.swagger-ui .renderedMarkdown,.swagger-ui .opblock-description-wrapper{overflow-wrap:anywhere}
}`;

/** An interface, its document, and the page that shows it. */
export interface ShownDocument {
  readonly title: string;
  readonly document: string;
  readonly page: string;
}

export const CLIENT_DOCS: ShownDocument = { title: 'API documentation', document: '/openapi.json', page: '/docs' };
export const ADMIN_DOCS: ShownDocument = {
  title: 'Admin API documentation',
  document: '/admin/openapi.json',
  page: '/admin/docs',
};

export const docsPage = ({ title, document, page }: ShownDocument) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><style>${STYLE}</style><link rel="icon" href="data:,"></head>
<body><div id="swagger-ui"></div>
<noscript><p>This page needs JavaScript. Without it there are <a href="${document}">the OpenAPI document</a> that it shows and
<a href="/docs/errors">every error with cause and cure</a>.</p></noscript>
<script src="/docs/swagger-ui-bundle.js"></script><script src="${page}/start.js"></script></body>
</html>
`;

/** The page may only call its own origin. Answers are folded behind their codes or the first line of their description. */
export const docsStart = ({ document, page }: ShownDocument) => `const foldAnswers = ({ React }) => {
  const { createElement } = React;
  const short = (text = '') => {
    const codes = [...text.matchAll(/^- \`(\\w+)\`/gm)].map(([, code]) => code);
    return codes.length > 1 ? codes.join(', ') : text.trim().split('\\n')[0].replace(/^- |\`/g, '') || 'Description';
  };
  const fold = (Answer) => (props) => {
    const row = createElement('table', null, createElement('tbody', null, createElement(Answer, props)));
    const summary = createElement('summary', null, short(props.response.get('description')));
    return createElement('tr', { className: 'response' },
      createElement('td', { className: 'response-col_status' }, props.code),
      createElement('td', { className: 'response-col_description' }, createElement('details', null, summary, row)));
  };
  return { wrapComponents: { response: fold } };
};

fetch('${document}').then((answer) => answer.json()).then((spec) => {
  spec.servers[0].variables.address.default = location.origin;
  spec.info.contact.url = location.origin + '${page}';
  SwaggerUIBundle({ spec, dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null, defaultModelsExpandDepth: -1, plugins: [foldAnswers] });
});
`;
