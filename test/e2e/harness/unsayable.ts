interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const MAX_OF_32_BITS = 2 ** 31 - 1;
const REFUSED = ['const', 'oneOf', 'not', 'nullable', 'exclusiveMinimum', 'exclusiveMaximum', 'prefixItems', 'patternProperties'];

/** A reference, and null beside it. */
const isNullableReference = ([one, other, ...more]: readonly Schema[]) =>
  one?.$ref !== undefined && JSON.stringify(other) === '{"type":"null"}' && more.length === 0;

const FORMS: Readonly<Record<string, (schema: Schema, isNamed: boolean) => boolean>> = {
  'an enum of what is no text': ({ enum: values, type }) =>
    values !== undefined &&
    (![type].flat().includes('string') || values.some((each) => each !== null && typeof each !== 'string')),
  'an enum of what makes no names': ({ enum: values = [] }) =>
    values.some((each) => typeof each === 'string' && !/^[a-z]/i.test(each)),
  'null alone': ({ type, enum: values }) => type === 'null' || values?.every((each) => each === null) === true,
  'several types': ({ type }) => Array.isArray(type) && type.filter((each) => each !== 'null').length !== 1,
  'a union': ({ anyOf }) => anyOf !== undefined && !isNullableReference(anyOf),
  'a mixture': ({ allOf }) => allOf !== undefined && (allOf.length !== 1 || allOf[0]?.$ref === undefined),
  'members without a name for them': ({ properties }, isNamed) => properties !== undefined && !isNamed,
  'more than 32 bits': ({ maximum = 0, format }) => maximum > MAX_OF_32_BITS && format !== 'int64',
  'a keyword that generators take for something else': (schema) => REFUSED.some((keyword) => keyword in schema),
};

/** The schemas of an OpenAPI document that generators of clients have no type or no good name for, each with the reason. */
export function unsayable(document: unknown): string[] {
  return Object.entries(document as object).flatMap(([key, value]) => inside(key, key, value));
}

/** Looks for schemas by the keys that hold them. */
function inside(place: string, key: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null || ['example', 'examples'].includes(key)) return [];
  if (key === 'schema') return judge(place, value, false);
  if (place === 'components/schemas')
    return Object.entries(value).flatMap(([name, schema]) => judge(name, schema as Schema, true));
  return Object.entries(value).flatMap(([name, each]) => inside(`${place}/${name}`, name, each));
}

function judge(place: string, schema: Schema, isNamed: boolean): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const own = Object.keys(FORMS).filter((form) => FORMS[form]?.(schema, isNamed));
  const parts: readonly (readonly [string, Schema | boolean | undefined])[] = [
    ...Object.entries(properties),
    ...anyOf.filter(() => !isNullableReference(anyOf)).map((each, index) => [`anyOf ${index}`, each] as const),
    ['items', items],
    ['others', additionalProperties],
  ];
  return [
    ...own.map((form) => `${place}: ${form}`),
    ...parts.flatMap(([name, part]) => (typeof part === 'object' ? judge(`${place}.${name}`, part, false) : [])),
  ];
}
