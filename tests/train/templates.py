"""Tokenizers with the chat templates of known models, trained here: no download."""

from functools import cache
from importlib import resources

from transformers import PreTrainedTokenizerFast

from clawgym_train.tiny import train_tokenizer

TEXT = [
    'system user assistant tool read write path content {"name": "arguments"} think 0123456789',
    "Give the totals per vendor of the file sales.csv and write them to out/totals.csv, please.",
] * 20
QWEN = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
LLAMA = ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|pad|>")


@cache
def tokenizer(name: str) -> PreTrainedTokenizerFast:
    """`tiny`, or the template of that name which TRL ships."""
    if name == "tiny":
        return train_tokenizer(TEXT, 400)
    template = resources.files("trl.chat_templates").joinpath(f"{name}.jinja").read_text()
    qwen = name.startswith("qwen")
    made = train_tokenizer(
        TEXT,
        400,
        special=QWEN if qwen else LLAMA,
        markers=("<tool_call>", "</tool_call>", "<think>", "</think>") if qwen else (),
        template=template,
        end="<|im_end|>" if qwen else "<|eot_id|>",
        pad="<|endoftext|>" if qwen else "<|pad|>",
    )
    if not qwen:
        made.bos_token = "<|begin_of_text|>"
    return made
