// How the page looks and behaves for this user, kept by the browser for the next time.

type Listener = () => void;

const listeners = new Set<Listener>();
const dark = matchMedia("(prefers-color-scheme: dark)");

function read(key: string): string {
  try {
    return localStorage.getItem(`covr-${key}`) ?? "";
  } catch {
    return ""; // storage may be forbidden; then nothing is remembered
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(`covr-${key}`, value);
  } catch {
    // as above
  }
}

export const settings = {
  read,
  write,

  /** Whether the page is dark: as the user chose, or as the system is. */
  isDark(): boolean {
    const chosen = read("look");
    return chosen ? chosen === "dark" : dark.matches;
  },

  /** From light to dark or back. */
  switchLook(): void {
    write("look", settings.isDark() ? "light" : "dark");
    showLook();
  },

  /** The theme that pictures are drawn in. */
  theme(): string {
    return read("theme") || (settings.isDark() ? "dark" : "light");
  },

  picked(): string {
    return read("theme");
  },

  pick(theme: string): void {
    write("theme", theme);
    for (const listener of listeners) listener();
  },

  onTheme(listener: Listener): void {
    listeners.add(listener);
  },
};

export function showLook(): void {
  const before = document.documentElement.dataset.look;
  document.documentElement.dataset.look = settings.isDark() ? "dark" : "light";
  if (before && before !== document.documentElement.dataset.look) for (const listener of listeners) listener();
}

dark.addEventListener("change", showLook);
