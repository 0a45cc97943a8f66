"""Places of measurement: a device of this or another installation, with threads and runtime provider."""

from __future__ import annotations

from dataclasses import dataclass

from engines.contract.integer_format import many
from webapp.measuring.device_documents import document_slug
from webapp.measuring.models import AgentDevice

CPU_PROVIDER = "CPUExecutionProvider"


@dataclass(frozen=True)
class Place:
    """A device with some threads.

    Attributes:
        device: number of the device; None for a device of another installation.
        name, slug: name and slug of the device.
        machine: its processor, cores and runtime, in words.
        threads: threads of the runtime.
        provider: provider of the runtime, by its name there.
    """

    device: int | None
    name: str
    slug: str
    machine: str
    threads: int
    provider: str = CPU_PROVIDER

    @classmethod
    def of(cls, device: AgentDevice, threads: int, provider: str) -> Place:
        """Return the place of a device of this installation."""
        machine = device.machine
        words = f"{machine['processor']}, {machine['cores']} cores, {machine['runtime']}"
        return cls(device.pk, device.name, device.slug, words, threads, provider)

    @property
    def document(self) -> str:
        """Slug of the document of the device with that many threads."""
        return document_slug(self.slug, self.threads)

    @property
    def on_processor(self) -> bool:
        """Whether its processor computes."""
        return self.provider == CPU_PROVIDER

    @property
    def provider_words(self) -> str:
        """Return the provider as "CUDA"."""
        return self.provider.removesuffix("ExecutionProvider")

    @property
    def words(self) -> str:
        """Return the place as "Bench box, 2 threads", "Bench box, CUDA", "Their box, 1 thread, of another installation"."""
        found = f"{self.name}, {run_words(self.threads, self.provider)}"
        return found if self.device is not None else f"{found}, of another installation"


def run_words(threads: int, provider: str = CPU_PROVIDER) -> str:
    """Return the place as "1 thread"; for providers other than the processor as "CUDA", whose threads only feed it."""
    count = many(threads, "thread")
    if provider == CPU_PROVIDER:
        return count
    name = provider.removesuffix("ExecutionProvider")
    return name if threads == 1 else f"{name}, {count}"
