"""Abstentions in Chinese, Japanese and Korean, for the clinical recipe."""

from __future__ import annotations

import re

_OF_RECORD = (
    "记录|記錄|記録|对话|對話|会話|问题|問題|質問|上下文|文脈|文中|病历|病歷|カルテ|信息|資料|资料|"
    "情報|기록|대화|질문|문맥|정보|문서|차트"
)
_CANNOT = (
    r"(?:无法|無法|不能)(?:回答|确定|確定|判断|判斷|得知)|不得而知|"
    r"(?:没有|無|无)(?:相关|相關)?(?:信息|資訊|资料|資料)|"
    r"(?:回答|判断|特定|確認)(?:することは|は)?でき(?:ません|ない)|(?:分|わ)か(?:りません|らない)|"
    r"情報(?:が|は)?(?:ありません|ない|なし)|"
    r"(?:답할|대답할|답변할|알|확인할|판단할) 수 (?:없습니다|없음|없어요|없다)|"
    r"정보(?:가|는)? ?(?:없습니다|없음|없어요|없다)"
)
"""Said alone, or of the record and the question; of anything else it may be a finding."""

_NOT_SAID = (
    r"(?:未|没有|沒有|並未|并未)(?:被)?(?:提及|提到|说明|說明|记载|記載)|"
    r"(?:言及|記載|記録)されて(?:いません|いない)|(?:記載|言及)(?:が|は)?(?:ありません|ない|なし)|"
    r"(?:언급|기재|기록)되(?:지 않았|어 있지 않)(?:습니다|음|다|어요)"
)
"""Whatever it is said of; what stands behind it is what wasn't mentioned: 未提及发热."""

_GUESS = "可能|也许|也許|大概|おそらく|多分|아마"
_PART = r"[^\d.,;:\u3002]*"
_ABSTENTION = re.compile(
    rf"(?:(?:{_PART}(?:{_OF_RECORD}){_PART})?(?:{_CANNOT})|{_PART}(?:{_NOT_SAID}))"
    rf"(?:[.,;:!\u3002](?!.*(?:{_GUESS}))\D*)?"
)


def abstains_in_east_asian(text: str) -> bool:
    """Whether a text, of folded width, says that it has no answer; with a number it is one."""
    return _ABSTENTION.fullmatch(text) is not None
