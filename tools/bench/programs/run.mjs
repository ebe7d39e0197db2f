// Runs a program of this folder, by name, on a task in JSON, prints what it measured as JSON, and ends whatever it left open.
const [name, task] = process.argv.slice(2);
const { measure } = await import(`./${name}`);
process.stdout.write(JSON.stringify(await measure(JSON.parse(task))), () => process.exit(0));
