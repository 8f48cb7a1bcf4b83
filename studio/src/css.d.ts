// Style sheets are imported for the build only.
declare module "*.css";
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "pyodide/pyodide.asm.mjs";
