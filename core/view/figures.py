"""Plotly figures of the app."""

from __future__ import annotations

import plotly.graph_objects as go

from core.retrieval import Savings
from core.view.decision import BASELINE_NAMES, ratio_text

CONTEXT_COLOUR, BASELINE_COLOUR = "#d97706", "#a1a1aa"


def baseline_bars(savings: Savings, unit: str = "tokens") -> go.Figure:
    """Size of the context beside each baseline, with ratios as text."""
    sizes = {"Context": getattr(savings.context, unit)}
    ratios = {"Context": f"{sizes['Context']:,}"}
    for baseline, name in BASELINE_NAMES.items():
        size = getattr(savings.baselines[baseline], unit)
        if size:
            sizes[name] = size
            ratios[name] = f"{size:,}  ({ratio_text(savings.ratio(baseline, unit))})"
    names = list(sizes)
    figure = go.Figure(
        go.Bar(
            x=list(sizes.values()),
            y=names,
            orientation="h",
            text=list(ratios.values()),
            textposition="outside",
            cliponaxis=False,
            marker_color=[CONTEXT_COLOUR] + [BASELINE_COLOUR] * (len(names) - 1),
            hovertemplate=f"%{{y}}: %{{x:,}} {unit}<extra></extra>",
        )
    )
    figure.update_layout(
        height=21 * len(names),
        margin={"l": 0, "r": 8, "t": 0, "b": 0},
        bargap=0.35,
        showlegend=False,
        xaxis={"visible": False, "range": [0, 1.45 * max(sizes.values(), default=1)]},
        yaxis={"autorange": "reversed", "ticks": "", "showgrid": False, "automargin": True},
    )
    return figure


def baseline_alt(savings: Savings, unit: str = "tokens") -> str:
    """The same as text."""
    parts = [f"context {getattr(savings.context, unit):,}"]
    parts += [
        f"{name.lower()} {getattr(savings.baselines[baseline], unit):,}"
        for baseline, name in BASELINE_NAMES.items()
    ]
    return f"Size in {unit}: " + ", ".join(parts) + "."
