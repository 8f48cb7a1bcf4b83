// HiGHS of npm as a script of its own, which a worker loads when a question first needs it.

export { default } from "highs";
