/** A node of a JSON document. */
type Node = Readonly<Record<string, unknown>>;

/** The least number of words with which a sentence tells more than a name. */
const MIN_WORDS = 3;
const METHODS = ['get', 'post', 'patch', 'delete'];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a node that are nodes themselves, by their paths. */
function nodesIn(value: unknown, path: string): [string, Node][] {
  return Object.entries(isNode(value) ? value : {}).flatMap(([name, node]): [string, Node][] =>
    isNode(node) ? [[`${path}/${name}`, node]] : [],
  );
}

function listed(value: unknown, path: string): [string, Node][] {
  return (Array.isArray(value) ? value : []).flatMap((node: unknown, index): [string, Node][] =>
    isNode(node) ? [[`${path}/${typeof node['name'] === 'string' ? node['name'] : index}`, node]] : [],
  );
}

/** What is wrong with the description of a node: it is absent, too short, or says nothing of a word or of null. */
function faultOf({ description, schema = {}, ...node }: Node, told: string = ''): string | null {
  const text = typeof description === 'string' ? description : '';
  const { enum: words, type, anyOf } = { ...(schema as Node), ...node } as { enum?: unknown; type?: unknown; anyOf?: unknown };
  if (text.trim().split(/\s+/).length < MIN_WORDS) return 'has no description';
  const named = (Array.isArray(words) ? words : []).filter((word) => word !== null).map(String);
  const unnamed = named.find((word) => named.length > 1 && !text.includes(`\`${word}\`: `));
  if (unnamed !== undefined) return `does not say what ${unnamed} means`;
  const mayBeNull = [type, ...(Array.isArray(anyOf) ? (anyOf as Node[]).map((one) => one['type']) : [])].flat().includes('null');
  return mayBeNull && told === 'answer' && !/\bnull\b/i.test(text) ? 'does not say when it is null' : null;
}

/** The schemas in a schema that have members of their own or are members. */
function* membersOf(schema: Node, path: string): Generator<[string, Node]> {
  for (const [where, member] of nodesIn(schema['properties'], path)) {
    yield [where, member];
    yield* membersOf(member, where);
  }
  for (const part of ['items', 'additionalProperties'])
    if (isNode(schema[part])) yield* membersOf(schema[part], `${path}/${part}`);
  for (const part of ['allOf', 'anyOf', 'oneOf'])
    for (const [where, one] of listed(schema[part], path)) yield* membersOf(one, where);
}

function* partsOf(operation: Node, path: string): Generator<[string, Node]> {
  yield [path, operation];
  yield* listed(operation['parameters'], path);
  const { requestBody } = operation;
  if (isNode(requestBody)) yield [`${path}/requestBody`, requestBody];
  for (const [where, response] of nodesIn(operation['responses'], path)) {
    yield [where, response];
    for (const [header, node] of nodesIn(response['headers'], where)) if (!('$ref' in node)) yield [header, node];
  }
}

function* operationsOf(document: Node): Generator<[string, Node]> {
  for (const section of ['paths', 'webhooks'])
    for (const [path, item] of nodesIn(document[section], section))
      for (const [where, operation] of nodesIn(item, path))
        if (METHODS.includes(where.split('/').at(-1) ?? '')) yield* partsOf(operation, where);
}

function* componentsOf({ components }: Node): Generator<[string, Node]> {
  const { schemas, headers, securitySchemes } = components as Node;
  for (const [path, schema] of nodesIn(schemas, 'schemas')) {
    yield [path, schema];
    yield* membersOf(schema, path);
  }
  yield* nodesIn(headers, 'headers');
  yield* nodesIn(securitySchemes, 'securitySchemes');
}

/** Everything in an OpenAPI document whose description does not tell what a client has to know, as sentences. */
export function undescribed(document: Node): readonly string[] {
  const { info, tags, servers } = document;
  const general = [['info', info] as [string, Node], ...listed(tags, 'tags'), ...listed(servers, 'servers')];
  const addresses = listed(servers, 'servers').flatMap(([path, { variables }]) => nodesIn(variables, path));
  const all = [...general, ...addresses, ...operationsOf(document), ...componentsOf(document)];
  return all.flatMap(([path, node]) => {
    const fault = faultOf(node, /^schemas\/\w+Resource\//.test(path) ? 'answer' : '');
    return fault === null ? [] : [`${path} ${fault}`];
  });
}
