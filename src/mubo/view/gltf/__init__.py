"""Binary glTF 2.0 (.glb): a film that any viewer, browser or 3D program opens."""

from mubo.view.gltf.document import write_glb

__all__ = ["write_glb"]
