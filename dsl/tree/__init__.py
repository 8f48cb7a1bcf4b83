"""Lark's tree → the frozen classes of syntax/.

There is one method for each rule of cover.lark, with the same name; when it is called, the children are already built.
What LALR(1) cannot express is done here: a key `x in SET` becomes a `Key`, the two sides of a `->` must be choices,
texts are unescaped. Nothing here recurses, and expressions deeper than `MAX_DEPTH` are refused, so code that walks the
result may recurse.

Reading order: limits.py (how large a model may be), nodes.py (the walk over the tree), keys.py, expressions.py,
definitions.py, rules.py and answers.py (a method for each rule, divided as in syntax/).
"""

from covr.dsl.tree.answers import AnswerBuilder
from covr.dsl.tree.definitions import DefinitionBuilder
from covr.dsl.tree.expressions import ExpressionBuilder
from covr.dsl.tree.limits import MAX_DEPTH, MAX_DIGITS, MAX_FAULTS, MOST, too_deep
from covr.dsl.tree.nodes import Node
from covr.dsl.tree.rules import RuleBuilder

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "MAX_FAULTS", "MOST", "Node", "TreeBuilder", "too_deep"]


class TreeBuilder(ExpressionBuilder, DefinitionBuilder, RuleBuilder, AnswerBuilder):
    """Builds the nodes of all rules of cover.lark."""
