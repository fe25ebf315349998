"""Which names a module's source binds, and what in it reads them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def uses(tree: ast.Module) -> list[Use]:
    """Whatever reads a module's own names: not a local of the same name, at whatever depth of scopes."""
    finder = _Finder()
    finder.visit(tree)
    return finder.found


@dataclass(frozen=True, slots=True)
class Use:
    """A name of the module that is read, and the attributes read of it; `nodes` holds the expression up to each."""

    path: tuple[str, ...]
    nodes: tuple[ast.expr, ...]
    replaceable: bool


class _Finder(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[Use] = []
        self._scopes: list[tuple[ast.AST, Collection[str]]] = []
        self._formatted = 0

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, Function):
            arguments = _arguments(node.args)
            self._all([*node.decorator_list, *_defaults(node.args), *(argument.annotation for argument in arguments)])
            self._all([node.returns])
            self._inside(node, [*arguments, *node.body], node.body)
        elif isinstance(node, ast.Lambda):
            self._all(_defaults(node.args))
            self._inside(node, [*_arguments(node.args), node.body], [node.body])
        elif isinstance(node, ast.ClassDef):
            self._all([*node.decorator_list, *node.bases, *node.keywords])
            self._inside(node, node.body, node.body)
        elif isinstance(node, Comprehension):
            first, *rest = node.generators
            results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self._all([first.iter])  # belongs to the scope outside
            targets = [loop.target for loop in node.generators]
            self._inside(node, targets, [first.target, *first.ifs, *rest, *results])
        elif isinstance(node, ast.JoinedStr):  # before Python 3.12 nothing in it knows its place
            self._formatted += 1
            self.generic_visit(node)
            self._formatted -= 1
        elif isinstance(node, ast.Name | ast.Attribute) and path_of(node):
            self._note(node)
        else:
            self.generic_visit(node)

    def _all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _inside(self, scope: ast.AST, binding: Iterable[ast.AST], nodes: Iterable[ast.AST]) -> None:
        self._scopes.append((scope, bound(binding)))
        self._all(nodes)
        self._scopes.pop()

    def _note(self, node: ast.expr) -> None:
        path = path_of(node)
        replaceable = not self._formatted
        in_class = True  # no function in between, from where a class's names are not seen
        for scope, names in reversed(self._scopes):
            if path[0] in names and not isinstance(scope, ast.ClassDef):
                return
            if path[0] in names and in_class:
                replaceable = False  # the class's, or the module's as long as the class has none
            in_class = in_class and isinstance(scope, Comprehension)
        nodes = [node]
        while isinstance(node, ast.Attribute):
            node = node.value
            nodes.insert(0, node)
        self.found.append(Use(path, tuple(nodes), replaceable))


def bound(nodes: Iterable[ast.AST]) -> Counter[str]:
    """How often each name is bound in the scope that these nodes make up, scopes inside it left out."""
    found: Counter[str] = Counter()
    left = [(node, False) for node in nodes]
    while left:
        node, in_comprehension = left.pop()
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, Function | ast.ClassDef):
            found[node.name] += 1
            children = [*node.decorator_list, *([] if isinstance(node, ast.ClassDef) else _defaults(node.args))]
        elif isinstance(node, ast.Lambda):
            children = list(_defaults(node.args))
        elif isinstance(node, Comprehension):
            in_comprehension = True  # of what it binds, only `:=` is seen outside
        elif isinstance(node, ast.NamedExpr):
            found[node.target.id] += 1
            children = [node.value]
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and not in_comprehension:
            found[node.id] += 1
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found[node.name] += 1
        elif isinstance(node, ast.alias):
            found[alias_name(node)] += 1
        elif isinstance(node, ast.arg):
            found[node.arg] += 1
        left += [(child, in_comprehension) for child in children]
    return found


def path_of(node: ast.expr) -> tuple[str, ...]:
    """`("a", "b")` of `a.b` that is read; empty for any other expression."""
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return ()
    if isinstance(node, ast.Name):
        return (node.id,)
    before = path_of(node.value) if isinstance(node, ast.Attribute) else ()
    return (*before, node.attr) if before and isinstance(node, ast.Attribute) else ()


def alias_name(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def _arguments(given: ast.arguments) -> list[ast.arg]:
    rest = [argument for argument in (given.vararg, given.kwarg) if argument]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def _defaults(given: ast.arguments) -> list[ast.expr]:
    return [*given.defaults, *(default for default in given.kw_defaults if default)]
