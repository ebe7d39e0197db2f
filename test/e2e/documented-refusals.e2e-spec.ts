import { App } from './harness/app.js';

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
interface Body {
  readonly schema: Schema;
  readonly example?: { readonly error: { readonly code: string; readonly param?: string } };
}
interface Content {
  readonly content?: { readonly 'application/json': Body };
}
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let app: App;
let document: Document;
beforeAll(async () => {
  app = await App.start();
  document = (await app.as(null).get('/openapi.json')).body as Document;
});
afterAll(() => app.dispose());

function membersOf({ $ref, properties = {}, anyOf = [], allOf = [] }: Schema): readonly string[] {
  const referred = $ref === undefined ? [] : membersOf(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const own = Object.entries(properties).flatMap(([name, schema]) => [name, ...membersOf(schema)]);
  return [...referred, ...own, ...[...anyOf, ...allOf].flatMap(membersOf)];
}

const bodyOf = ({ content }: Content): Body => content?.['application/json'] ?? { schema: {} };

const refusals = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      Object.entries(operation.responses)
        .filter(([status]) => status >= '400')
        .map(([status, response]) => ({ route: `${method} ${path} ${status}`, operation, response })),
    ),
  );

describe('the refusals in the OpenAPI document', () => {
  it('have an example each, under a code that their description names', () => {
    expect(refusals().length).toBeGreaterThan(200);
    const strange = refusals().filter(({ response }) => {
      const code = bodyOf(response).example?.error.code;
      return code === undefined || !response.description.includes(`\`${code}\``);
    });
    expect(strange.map(({ route }) => route)).toEqual([]);
  });

  it('name parameters that their route has', () => {
    const strange = refusals().flatMap(({ route, operation: { parameters = [], requestBody = {} }, response }) => {
      const known = [...parameters.map(({ name }) => name), ...membersOf(bodyOf(requestBody).schema)];
      const param = bodyOf(response).example?.error.param;
      return param === undefined || known.includes(param) ? [] : [`${route} ${param}`];
    });
    expect(strange).toEqual([]);
  });

  it('leave the list of codes open, as more may be added', () => {
    const { schemas } = document.components;
    const closed = Object.keys(schemas).filter((name) => schemas[name]?.properties?.['code']?.enum);
    expect(closed).toEqual([]);
    expect(JSON.stringify(refusals().map(({ response }) => bodyOf(response).schema))).not.toContain('enum');
  });
});
