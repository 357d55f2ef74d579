"""Looking back at finished games: chances of winning step by step, luck and choices apart, and what a master mixes.

analysed(record, progress)  the analysis of a finished game (docs/analysis.md says how)
told(analysis)              the same as plain values
"""

from pokade.analysis.game import Analysis, analysed
from pokade.analysis.report import told

__all__ = ["Analysis", "analysed", "told"]
