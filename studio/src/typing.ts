// Typing over a selection, done by the editor instead of the browser.
//
// Browsers merge the lines of a selection that is typed over, and write style attributes while they do, which the page's
// policy forbids: each such edit would be reported in the console. So it never comes to that.

import { EditorView } from "@codemirror/view";

export const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const text = event.data;
    if (event.inputType !== "insertText" || text === null || view.composing || view.state.readOnly) return false;
    if (ranges.length === 1 && main.empty && !text.includes("\n")) return false;
    const change = () => view.state.update({ ...view.state.replaceSelection(text), userEvent: "input.type", scrollIntoView: true });
    event.preventDefault();
    const taken = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, main.from, main.to, text, change));
    if (!taken) view.dispatch(change());
    return true;
  },
});
