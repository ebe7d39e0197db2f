import { request } from 'undici';
import { ADMIN_PASSWORD } from './processes.mjs';

/** What an admin asks of a running service. */
export class Admin {
  static async of(service) {
    const admin = new Admin();
    admin.url = `${service.url}/admin/v1`;
    const { token } = await admin.ask('POST', '/login', { password: ADMIN_PASSWORD });
    admin.token = token;
    return admin;
  }

  async firstProject() {
    return (await this.ask('GET', '/projects')).data[0].id;
  }

  async projections() {
    return (await this.ask('GET', '/projections')).data;
  }

  async isCaughtUp() {
    return (await this.projections()).every(({ checkpoint, head }) => checkpoint >= head);
  }

  rebuild(name) {
    return this.ask('POST', `/projections/${name}/rebuild`);
  }

  async ask(method, path, body) {
    const headers = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const { statusCode, body: answer } = await request(this.url + path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    if (statusCode >= 400) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    return JSON.parse(text);
  }
}
