import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

const LAST = 'console.project';

/** The project that the address names. */
export const ProjectContext = createContext('');

export function useProject(): string {
  return useContext(ProjectContext);
}

/** Null on the first visit, or where the browser keeps nothing. */
export function lastProject(): string | null {
  try {
    return localStorage.getItem(LAST);
  } catch {
    return null;
  }
}

export function rememberProject(id: string): void {
  try {
    localStorage.setItem(LAST, id);
  } catch {
    // A private window may refuse; then the first project is shown.
  }
}

/** The console's address of a place in a project. */
export function placeOf(projectId: string, ...parts: readonly string[]): string {
  return ['/admin', projectId, ...parts.map(encodeURIComponent)].join('/');
}
