"""Integers in place of the names of constants, in the source of a whole program: which names a module binds, and what
reads them.
"""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

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


SMALL: Final = 1 << 30  # from here on an integer is an object, best made once
SHIFT_MOST: Final = 64
LARGEST: Final = 1 << SHIFT_MOST
NAMESPACES: Final = {"globals", "locals", "vars", "eval", "exec"}
Import = ast.Import | ast.ImportFrom
Definition = Import | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign | ast.Pass
Origin = tuple[str, str | None]  # a module and the name in it; None: the module itself
UNARY: Final[Mapping[type[ast.unaryop], Callable[[int], int]]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
BINARY: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}


def inlined(sources: Mapping[str, str]) -> dict[str, str]:
    """Module name -> source, the integer constants of all these modules inlined. Nobody else may import them."""
    return _Constants({name: _Module(name, sources) for name in sorted(sources)}).inlined()


class _Module:
    """One source: what it binds, what it reads."""

    def __init__(self, name: str, sources: Mapping[str, str]) -> None:
        self.name = name
        self.text = sources[name].encode()
        self.tree = ast.parse(self.text)
        self.bound = bound(self.tree.body)
        self.uses = uses(self.tree)
        nodes = list(ast.walk(self.tree))
        self.imports = [node for node in nodes if isinstance(node, Import)]
        self._package = name if any(other.startswith(f"{name}.") for other in sources) else name.rpartition(".")[0]
        shared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        once = {name for name, count in self.bound.items() if count == 1} - shared
        self.assigned = {
            name: node
            for node in self.tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign) and (name := _target(node)) in once
        }
        self.imported = {
            name: self.origin(node, alias)
            for node in self.tree.body
            if isinstance(node, Import)
            for alias in node.names
            if (name := alias_name(alias)) in once
        }

    @cached_property
    def only_defines(self) -> bool:
        return all(isinstance(node, Definition) or _is_text(node) for node in self.tree.body)

    def origin(self, node: Import, alias: ast.alias) -> Origin:
        """Where the name that an import binds comes from."""
        if isinstance(node, ast.Import):
            return (alias.name if alias.asname else alias.name.partition(".")[0]), None
        package = self._package.split(".")[: 1 - node.level or None] if node.level else []
        return ".".join([*package, *([node.module] if node.module else [])]), alias.name

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """First byte and the one after the last."""
        starts = self._starts
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return starts[node.lineno - 1] + node.col_offset, end

    def alone(self, node: ast.stmt) -> bool:
        """Whether there is no other statement on its lines."""
        start, end = self.span(node)
        before, after = self.text[:start].rpartition(b"\n")[2], self.text[end:].partition(b"\n")[0].strip()
        return node in self.tree.body and not before and (not after or after.startswith(b"#"))

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts


class _Constants:
    """All modules together: what a name stands for, and what is left of it."""

    def __init__(self, modules: Mapping[str, _Module]) -> None:
        self._modules = modules
        self._known: dict[Origin, int | str | None] = {}
        self._open: set[str] = set()  # modules whose names may be seen or changed in other ways
        while (found := self._open | set(self._opened())) != self._open:
            self._open = found
            self._known.clear()
        self._replaced = {name: list(self._replacements(module)) for name, module in modules.items()}
        self._needed: set[Origin] = {origin for module in modules.values() for origin in self._left(module)}
        while (needed := self._needed | set(self._still_imported())) != self._needed:
            self._needed = needed

    def inlined(self) -> dict[str, str]:
        return {name: self._written(module) for name, module in self._modules.items()}

    def _meaning(self, module: str, name: str | None) -> int | str | None:
        """What a name of a module stands for: an integer, a module by its name, or something else."""
        if name is None:
            return module if module in self._modules else None
        if (module, name) not in self._known:
            self._known[module, name] = None  # so a circle ends
            self._known[module, name] = self._found(module, name)
        return self._known[module, name]

    def _found(self, module: str, name: str) -> int | str | None:
        known = self._modules.get(module)
        if known is None or self._is_open(module):
            return None
        if name in known.imported:
            return self._meaning(*known.imported[name])
        if name in known.assigned:
            return self._integer(module, known.assigned[name].value) if self._only_defines(module) else None
        inner = f"{module}.{name}"
        return inner if inner in self._modules and name not in known.bound else None

    def _integer(self, module: str, node: ast.expr | None) -> int | None:
        """The value of an expression of integers and constants; None for any other."""
        value: object = None
        if isinstance(node, ast.Constant) and type(node.value) is int:
            value = node.value
        elif isinstance(node, ast.Name | ast.Attribute):
            path = path_of(node)
            meanings = self._followed(module, path)
            value = meanings[-1] if meanings and len(meanings) == len(path) else None
        elif isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
            operand = self._integer(module, node.operand)
            value = None if operand is None else UNARY[type(node.op)](operand)
        elif isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            value = _computed(self._integer(module, node.left), node.op, self._integer(module, node.right))
        return value if isinstance(value, int) and abs(value) < LARGEST else None

    def _followed(self, module: str, path: Sequence[str]) -> list[int | str]:
        """The meanings of `a`, `a.b`, `a.b.c` ... as far as they are known."""
        meanings: list[int | str] = []
        where = module
        for name in path:
            meaning = self._meaning(where, name)
            if meaning is None:
                break
            meanings.append(meaning)
            if isinstance(meaning, int):
                break
            where = meaning
        return meanings

    def _opened(self) -> Iterator[str]:
        for name, module in self._modules.items():
            for use in module.uses:
                meanings = self._followed(name, use.path)
                if len(meanings) == len(use.path) and isinstance(meanings[-1], str):
                    yield meanings[-1]
                if use.path[0] in NAMESPACES and use.path[0] not in module.bound:
                    yield name
            for node in module.imports:
                for alias in node.names:
                    origin = module.origin(node, alias)
                    plain = node in module.tree.body and alias_name(alias) in module.imported
                    if alias.name == "*":
                        yield from (origin[0], name)
                    elif not plain or self._is_open(name):
                        meaning = self._meaning(*origin)
                        yield from [meaning] if isinstance(meaning, str) else []

    def _is_open(self, module: str) -> bool:
        return any(_within(module, package) for package in self._open)

    def _only_defines(self, module: str) -> bool:
        return all(known.only_defines for name, known in self._modules.items() if _within(module, name))

    def _replacements(self, module: _Module) -> Iterator[tuple[str, ast.expr, int, bool]]:
        """The name at its root, the expression, the value, whether an attribute of the value follows."""
        for use in module.uses:
            meanings = self._followed(module.name, use.path)
            if use.replaceable and meanings and _inlinable(meanings[-1]):
                yield use.path[0], use.nodes[len(meanings) - 1], int(meanings[-1]), len(meanings) < len(use.path)

    def _left(self, module: _Module) -> Iterator[Origin]:
        """What its uses still need after the replacements."""
        for use in module.uses:
            meanings = self._followed(module.name, use.path)
            if not (use.replaceable and meanings and _inlinable(meanings[-1])):
                places = [module.name, *(meaning for meaning in meanings if isinstance(meaning, str))]
                yield from zip(places, use.path, strict=False)

    def _still_imported(self) -> Iterator[Origin]:
        for module in self._modules.values():
            for node in module.imports:
                for alias in node.names:
                    where, name = module.origin(node, alias)
                    if name is not None and not self._spare_import(module, node, alias):
                        yield where, name

    def _spare(self, module: _Module, name: str, node: ast.stmt) -> bool:
        """Whether nobody reads a constant by its name any more."""
        meaning = self._meaning(module.name, name)
        return _inlinable(meaning) and module.alone(node) and (module.name, name) not in self._needed

    def _spare_import(self, module: _Module, node: Import, alias: ast.alias) -> bool:
        """Whether what it binds has become an integer wherever it was read, so that nothing is missed without it."""
        name = alias_name(alias)
        if not module.alone(node) or name not in module.imported or (module.name, name) in self._needed:
            return False
        meaning = self._meaning(module.name, name)
        if isinstance(meaning, str):
            plain = isinstance(node, ast.ImportFrom) or alias.asname is not None
            used = any(root == name for root, *_ in self._replaced[module.name])
            return plain and used and self._only_defines(meaning)
        return _inlinable(meaning) and self._only_defines(module.origin(node, alias)[0])

    def _written(self, module: _Module) -> str:
        edits = {}
        for _, expression, value, goes_on in self._replaced[module.name]:
            edits[module.span(expression)] = f"({value})" if value < 0 or goes_on else str(value)
        gone = [module.span(node) for name, node in module.assigned.items() if self._spare(module, name, node)]
        for node in module.imports:
            kept = [alias for alias in node.names if not self._spare_import(module, node, alias)]
            if not kept:
                gone.append(module.span(node))
            elif len(kept) < len(node.names):
                node.names = kept
                edits[module.span(node)] = ast.unparse(node)
        edits = {span: new for span, new in edits.items() if not any(a <= span[0] < b for a, b in gone)}
        edits.update(dict.fromkeys(gone, ""))
        text = module.text
        for start, end in sorted(edits, reverse=True):
            lines = text[start:end].count(b"\n")  # what follows keeps its line
            joint = b"\\\n" if edits[start, end].lstrip("(-")[:1].isdigit() else b"\n"
            text = text[:start] + edits[start, end].encode() + joint * lines + text[end:]
        return text.decode()


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    """The only name that an assignment binds; empty if it is not as plain as that."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


def _computed(left: int | None, op: ast.operator, right: int | None) -> int | None:
    if left is None or right is None or (right >= SHIFT_MOST and isinstance(op, ast.LShift)):
        return None
    try:
        return BINARY[type(op)](left, right)
    except (ValueError, ZeroDivisionError):
        return None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _inlinable(meaning: int | str | None) -> bool:
    return isinstance(meaning, int) and -SMALL <= meaning < SMALL


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
