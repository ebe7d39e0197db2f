export const DOCUMENTED_ADDRESS: string;

export function openapiFiles(documents: { client: object; admin: object }): Promise<Readonly<Record<string, string>>>;
