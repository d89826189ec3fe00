"""Local plugins: what a pipeline brings along by itself, a Python file that it names or objects of Python.

A file becomes a module of its own, which no folder is searched for. Its name tells it from every other file,
and from the same file with another text: a process that reads a file again after a change has both.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
import re
import sys
from dataclasses import dataclass, replace
from importlib.util import decode_source
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from limecep.asking import asked
from limecep.errors import ConfigurationError, said
from limecep.hookspecs import HOOKS
from limecep.problems import Place, Problem
from limecep.protocols import PROTOCOLS
from limecep.registry import FILES, Plugin
from limecep.spec import ComponentSpec, title
from limecep.vetting import another_contract, shortcomings
from limecep.whereabouts import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from limecep.spec import Kind

T = TypeVar("T", bound="Callable[..., Any]")

#: Where the spec of a class stands that `component` marks.
_MARK = "__limecep_component__"
#: Which contract says of which kind a class is that derives from it.
_CONTRACTS: dict[str, Kind] = {
    contract: cast("Kind", kind) for kind, contract in PROTOCOLS.items() if kind != "command"
}


def component(kind: Kind, name: str = "", *, summary: str = "", **more: Any) -> Callable[[T], T]:
    """Marks a class of a local plugin, or a function for conditions, as a component.

    Args:
        kind: One of `limecep.spec.KINDS`.
        name: The name in YAML; by default that of the class in lower_snake_case.
        summary: What it does, in a line; by default the first one of its docstring.
        more: Whatever else `ComponentSpec` takes: `options`, `settings`, `capabilities`.
    """

    def mark(factory: T) -> T:
        setattr(factory, _MARK, _spec(factory, kind, name, summary, **more))
        return factory

    return mark


def _spec(factory: Any, kind: Kind, name: str = "", summary: str = "", **more: Any) -> ComponentSpec:
    named = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", factory.__name__).lower()
    first = (inspect.cleandoc(factory.__doc__ or "").splitlines() or [""])[0].removesuffix(".")
    return ComponentSpec(kind=kind, name=name or named, factory=factory, summary=summary or first, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginFile:
    """A Python file of a pipeline. It brings its module along: where it is unpickled, in a worker, the
    module is made of the text that it had where the pipeline was read.

    Attributes:
        name: The file as the pipeline names it.
        path: Where it is.
        text: The source text.
    """

    name: str
    path: str
    text: str

    @property
    def digest(self) -> str:
        """Tells this text from others."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def module(self) -> str:
        """The name of its module."""
        told = hashlib.sha256(f"{self.path}\0{self.text}".encode()).hexdigest()[:12]
        return f"{FILES}{re.sub(r'[^0-9A-Za-z_]', '_', Path(self.path).stem)}_{told}"

    def load(self) -> ModuleType:
        """The module. What its code raises, this raises."""
        known = sys.modules.get(self.module)
        if known is not None:
            return known
        code = compile(self.text, self.path, "exec", dont_inherit=True)
        module = ModuleType(self.module)
        module.__file__ = self.path
        # Tracebacks show its lines as they were, wherever it runs.
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.path] = (len(self.text), None, lines, self.path)
        sys.modules[self.module] = module
        try:
            exec(code, module.__dict__)
        except BaseException:
            del sys.modules[self.module]
            raise
        return module

    def __reduce__(self) -> tuple[Any, tuple[str, str, str]]:
        return _again, (self.name, self.path, self.text)


def _again(name: str, path: str, text: str) -> PluginFile:
    file = PluginFile(name=name, path=path, text=text)
    file.load()
    return file


# -- what is brought ---------------------------------------------------------------------------------------


def of_file(name: str, path: Path) -> Plugin:
    """The plugin that a Python file is, with what is wrong with it. Runs the file.

    Args:
        name: The file as it was named.
        path: Where it is.
    """
    plugin = Plugin(name=path.stem, module="", distribution=name, version="", path=str(path), local=True)

    def failed(code: str, message: str, hint: str, place: Place | None = None) -> Plugin:
        problem = Problem(code=code, message=f"{plugin} {message}", hint=hint, place=place)
        return replace(plugin, status="failed", problems=(problem,))

    if path.suffix != ".py":
        return failed("plugin-missing", "is no Python file", "name a file that ends in .py")
    try:
        text = decode_source(path.read_bytes())
    except OSError as e:
        hint = "paths are relative to the pipeline's file"
        return failed("plugin-missing", f"cannot be read: {e.strerror or e}", hint)
    except (ValueError, SyntaxError) as e:
        return failed("plugin-broken", f"is no text: {e}", "save it in UTF-8")
    file = PluginFile(name=name, path=str(path.absolute()), text=text)
    plugin = replace(plugin, module=file.module, file=file)
    try:
        module = file.load()
    except SyntaxError as e:
        return failed("plugin-broken", f"is no Python: {e.msg}", "", _raised_at(e, file))
    except ModuleNotFoundError as e:
        hint = (
            f"install '{(e.name or '').partition('.')[0]}'; a file imports what is installed, and no other "
        )
        hint += "file beside it"
        return failed(
            "plugin-import", f"imports '{e.name}', which is not installed", hint, _raised_at(e, file)
        )
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        return failed("plugin-broken", f"cannot be loaded: {said(e)}", "", _raised_at(e, file))
    return _of_object(module, plugin)


def specs_of(module: ModuleType) -> tuple[ComponentSpec, ...]:
    """The components of a plugin file that is loaded.

    Args:
        module: Its module.
    """
    path = str(module.__file__)
    plugin = Plugin(name=path, module=module.__name__, distribution=path, version="", path=path, local=True)
    return _of_object(module, plugin).specs


def brought(plugins: Iterable[Any], root: Path | None = None) -> list[Plugin]:
    """The plugins that objects of Python are: see `Host.with_plugins`.

    Args:
        plugins: The objects.
        root: The folder that relative paths are below; by default the current one.

    Raises:
        ConfigurationError: Something is wrong with one of them.
    """
    made = [_plugin(p, root or Path()) for p in plugins]
    problems = [problem for plugin in made for problem in plugin.problems]
    if problems:
        raise ConfigurationError(problems)
    return made


def _plugin(given: Any, root: Path) -> Plugin:
    if isinstance(given, (str, PathLike)):
        return of_file(fspath(given), root / fspath(given))
    module = _module_of(given)
    name = getattr(given, "__name__", type(given).__name__).rpartition(".")[2]
    path = str(getattr(sys.modules.get(module), "__file__", ""))
    plugin = Plugin(name=name, module=module, distribution=module, version="", path=path, local=True)
    return _of_object(given, plugin)


def _module_of(given: Any) -> str:
    if isinstance(given, ModuleType):
        return given.__name__
    if isinstance(given, ComponentSpec):
        return given.made_by[0]
    return str(getattr(given, "__module__", type(given).__module__))


def _of_object(given: Any, plugin: Plugin) -> Plugin:
    """A plugin with what an object brings: a module, a class, a spec, or whatever has hooks."""
    if isinstance(given, (ComponentSpec, type)) or hasattr(given, _MARK):
        specs = [given] if isinstance(given, ComponentSpec) else [*_specs([given])]
    else:
        plugin = asked(given, plugin)
        specs = [*_specs(_own(given), derived=not _hooked(given))]
    problems = [*plugin.problems]

    def wrong(code: str, message: str, hint: str, where: Any) -> None:
        problems.append(
            Problem(code=code, message=f"{plugin}{message}", hint=hint, place=place_of(where, given))
        )

    for spec in specs:
        if other := another_contract(spec):
            wrong("plugin-contract", f": {other[0]}", other[1], spec.factory)
        elif short := shortcomings(spec):
            said = f": {title(spec.kind)} '{spec.name}' is left out: {'; '.join(short)}"
            wrong("incomplete-spec", said, "see limecep.component and limecep.option", spec.factory)
    sound = [s for s in specs if not (another_contract(s) or shortcomings(s))]
    specs = [*plugin.specs, *sound]
    for spec in specs:
        if spec.kind == "command":
            said = f" brings the command '{spec.name}', which no pipeline can use"
            wrong("plugin-kind", said, "install it: 'limecep plugins new command' begins one", spec.factory)
    if not (specs or problems):
        hint = "mark a class with @limecep.component(KIND), or a hook with @limecep.hookimpl"
        wrong("plugin-empty", " brings nothing", hint, None)
    usable = tuple(s for s in specs if s.kind != "command")
    failed = bool(problems) and not usable
    return replace(plugin, specs=usable, problems=tuple(problems), status="failed" if failed else "loaded")


def _own(module: Any) -> list[Any]:
    """What a module itself defines."""
    name = getattr(module, "__name__", None)
    return [v for v in vars(module).values() if getattr(v, "__module__", None) == name and callable(v)]


def _hooked(given: Any) -> bool:
    return any(callable(getattr(given, hook, None)) for hook in HOOKS)


def _specs(objects: Iterable[Any], *, derived: bool = True) -> Iterator[ComponentSpec]:
    """The specs of classes.

    Args:
        objects: The classes, and other objects.
        derived: Whether one that is not marked is a component, too, if it derives from a contract.
    """
    for given in objects:
        marked = vars(given).get(_MARK) if hasattr(given, "__dict__") else None
        if marked is not None:
            yield marked
        elif derived and isinstance(given, type) and not given.__name__.startswith("_"):
            bases = [f"{c.__module__}.{c.__qualname__}" for c in given.__mro__[1:]]
            kinds = {_CONTRACTS[base] for base in bases if base in _CONTRACTS}
            yield from (_spec(given, kind) for kind in kinds)


def _raised_at(error: BaseException, file: PluginFile) -> Place:
    """Where in a file an error was raised."""
    line, column = 0, 0
    if isinstance(error, SyntaxError) and error.filename == file.path:
        line, column = error.lineno or 0, max(1, error.offset or 1)
    else:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == file.path:
                line, column = trace.tb_lineno, 1
            trace = trace.tb_next
    lines = file.text.splitlines()
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return Place(file=file.path, line=line, column=column, text=text)
