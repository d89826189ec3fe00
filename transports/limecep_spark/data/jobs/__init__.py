"""The sub-commands of `limecep data`, one module each: `declare(parser)` adds the arguments, `execute(args,
registry)` does it and gives the exit code. They import Spark when they are executed."""
