"""Ids of the plots of a conversation with a language model, which follow their sliders in the browser (assets/conversation.js)."""

from __future__ import annotations

from enum import StrEnum


class ConversationIds(StrEnum):
    """Components of the plots."""

    COEFFICIENTS = "conversation-coefficients"
    PROMPT = "conversation-prompt"
    ANSWER = "conversation-answer"
    PROMPT_TEXT = "conversation-prompt-text"
    ANSWER_TEXT = "conversation-answer-text"
    BOARD = "conversation-board"
    SENTENCE = "conversation-sentence"
    FRONT = "conversation-front"
    TIMELINE = "conversation-timeline"
    MEMORY = "conversation-memory"
    ROOFLINE = "conversation-roofline"
