"""Makes the untrained model: a tokenizer of the demonstrations' texts, and random weights.

python -m clawgym_train.tiny.start DEMONSTRATIONS.jsonl OUT --seed 1
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from clawgym_train.sft.data import read_conversations
from clawgym_train.tiny.model import TinyModel, new_model
from clawgym_train.tiny.tokenizer import train_tokenizer


def texts_of(message: dict[str, Any]) -> list[str]:
    calls = [json.dumps(call["function"]) for call in message.get("tool_calls") or []]
    return [str(message.get("content") or ""), *calls]


def main(
    demonstrations: Annotated[Path, typer.Argument(help="JSON Lines of conversations.")],
    out: Annotated[Path, typer.Argument(help="Where the model goes.")],
    seed: Annotated[int, typer.Option(help="Of the weights.")] = 0,
    vocabulary: Annotated[int, typer.Option(help="Tokens, at most.")] = 512,
    layers: Annotated[int, typer.Option(help="Layers.")] = 3,
    width: Annotated[int, typer.Option(help="Width of a layer.")] = 128,
    context: Annotated[int, typer.Option(help="Tokens of the longest conversation.")] = 2_048,
) -> None:
    """Make a model that knows nothing."""
    rows = read_conversations(str(demonstrations))
    texts = [text for row in rows for message in row["messages"] for text in texts_of(message)]
    tokenizer = train_tokenizer(texts, vocabulary)
    size = TinyModel(layers=layers, width=width, context=context)
    model = new_model(tokenizer, size, seed)
    tokenizer.save_pretrained(out)
    model.save_pretrained(out)
    print(f"{model.num_parameters():,} parameters, {len(tokenizer)} tokens → {out}")


if __name__ == "__main__":
    typer.run(main)
