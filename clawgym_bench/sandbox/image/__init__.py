"""The sandbox image: what is in it, how it is built, checked and unpacked."""

from clawgym_bench.sandbox.image.build import (
    ImageInfo,
    build_image,
    check_image,
    export_image,
    image_name,
)

__all__ = ["ImageInfo", "build_image", "check_image", "export_image", "image_name"]
