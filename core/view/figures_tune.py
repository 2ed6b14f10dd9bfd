"""Plotly figures of the Tune page."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.tuning import Recommendation, Sweep
from core.tuning.sweep import ALWAYS, NEVER
from core.view.decision import SHAPE_NAMES
from core.view.tune import threshold_text

AMBER, VIOLET, BLUE, GREY = "#d97706", "#8462e6", "#3b76f0", "#8a8693"
SHAPE_LOOKS = {
    "targeted_lookup": (AMBER, "circle"),
    "mixed": (BLUE, "diamond"),
    "synthesis": (VIOLET, "square"),
}
"""Colour and mark of a question's shape: never colour alone."""

_ALWAYS_AT, _NEVER_AT = 1.06, -0.06
_BEST = "rgba(132, 98, 230, 0.15)"


def curves(sweep: Sweep, threshold: float, chosen: Recommendation | None) -> go.Figure:
    """What the set gets against the threshold, as the steps it really takes."""
    curve = sweep.curve
    x = np.append(0.0, curve["upper"].to_numpy())
    figure = make_subplots(
        rows=3, shared_xaxes=True, vertical_spacing=0.09, row_heights=[0.46, 0.32, 0.22]
    )

    def line(row: int, column: str, name: str, colour: str, form: str, dash: str = "solid") -> None:
        values = curve[column].to_numpy(dtype=np.float64)
        figure.add_trace(
            go.Scatter(
                x=x,
                y=np.append(values[:1], values),
                name=name,
                mode="lines+markers",
                line={"shape": "vh", "color": colour, "width": 2.5, "dash": dash},
                marker={"size": 6, "opacity": np.append(0.0, np.ones(len(values)))},
                customdata=np.append(curve["upper"].iloc[:1], curve["upper"]),
                hovertemplate=f"up to %{{x:.3f}}: %{{y:{form}}}<extra>{name}</extra>",
            ),
            row=row,
            col=1,
        )

    line(1, "recall", "got all they expect", VIOLET, ".0%")
    line(1, "precision", "returned rows expected", BLUE, ".0%", "dot")
    line(2, "mean_tokens", "tokens a question", AMBER, ",.0f")
    line(3, "n_widened", "answered by a whole table", GREY, ",.0f")
    figure.update_yaxes(range=[0, 1.05], tickformat=".0%", nticks=4, row=1)
    figure.update_yaxes(rangemode="tozero", nticks=4, row=2)
    figure.update_yaxes(rangemode="tozero", nticks=3, row=3)
    figure.update_xaxes(range=[-0.01, 1.01], dtick=0.1, showgrid=False)
    figure.update_xaxes(title="widening threshold", row=3)
    _mark(figure, threshold, chosen)
    figure.update_layout(
        height=400,
        margin={"l": 0, "r": 8, "t": 30, "b": 0},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hovermode="closest",
    )
    return figure


def strip(sweep: Sweep, threshold: float, chosen: Recommendation | None) -> go.Figure:
    """Coverage k/n of every question and table: left of the threshold rows, right of it whole."""
    pairs = sweep.pairs
    figure = go.Figure()
    # Questions of the least coverage stand at the top, so that the flips make a staircase.
    least = pairs.groupby("question")["coverage"].max().sort_values(ascending=False, kind="stable")
    height_of = {question: place for place, question in enumerate(least.index)}
    shapes = sweep.questions["shape"].to_numpy()
    for shape, (colour, symbol) in SHAPE_LOOKS.items():
        some = pairs[shapes[pairs["question"].to_numpy()] == shape]
        if some.empty:
            continue
        at = some["flip"].replace({ALWAYS: _ALWAYS_AT, NEVER: _NEVER_AT})
        figure.add_trace(
            go.Scatter(
                x=at,
                y=some["question"].map(height_of),
                name=SHAPE_NAMES.get(shape, shape),
                mode="markers",
                marker={
                    "color": colour,
                    "symbol": symbol,
                    "size": 10,
                    "line": {"width": 1, "color": "rgba(127,127,127,0.6)"},
                },
                customdata=np.stack(
                    [
                        some["question"].astype(str),
                        some["k"].astype(str) + " of " + some["n"].astype(str),
                        some["table_id"].astype(str),
                        [_short(text) for text in sweep.questions["question"][some["question"]]],
                    ],
                    axis=1,
                ),
                hovertemplate="%{customdata[3]}<br>%{customdata[1]} rows of %{customdata[2]}"
                "<extra></extra>",
            )
        )
    _mark(figure, threshold, chosen)
    figure.update_xaxes(
        range=[-0.1, 1.1],
        tickvals=[_NEVER_AT, 0.2, 0.4, 0.6, 0.8, _ALWAYS_AT],
        ticktext=["never", "0.2", "0.4", "0.6", "0.8", "always"],
        tickangle=0,
        title="coverage k/n: where the table flips to whole",
        showgrid=False,
    )
    figure.update_yaxes(visible=False)
    figure.update_layout(
        height=400,
        margin={"l": 0, "r": 8, "t": 30, "b": 0},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        clickmode="event+select",
    )
    return figure


def trade_off(sweep: Sweep, threshold: float, chosen: Recommendation | None) -> go.Figure:
    """Tokens against the share of questions that get all they expect, a point per step."""
    curve = sweep.curve
    at = int(np.searchsorted(curve["upper"].to_numpy(), threshold - 1e-9))
    best = None
    if chosen is not None:
        best = int(np.searchsorted(curve["upper"].to_numpy(), chosen.value - 1e-9))
    sizes = [15 if place in (at, best) else 8 for place in range(len(curve))]
    colours = [
        VIOLET if place == best else AMBER if place == at else GREY for place in range(len(curve))
    ]
    names = [
        "recommended" if place == best else "now" if place == at else ""
        for place in range(len(curve))
    ]
    if best == at and chosen is not None:
        names[at] = "now, as recommended"
    figure = go.Figure(
        go.Scatter(
            x=curve["mean_tokens"],
            y=curve["recall"],
            mode="lines+markers+text",
            text=names,
            textposition="top center",
            line={"color": GREY, "width": 1, "dash": "dot"},
            marker={"size": sizes, "color": colours},
            customdata=np.stack([curve["upper"], curve["lower"]], axis=1),
            hovertemplate="threshold %{customdata[1]:.3f} to %{customdata[0]:.3f}<br>"
            "%{y:.0%} at %{x:,.0f} tokens<extra></extra>",
        )
    )
    figure.update_xaxes(title="tokens a question", rangemode="tozero")
    figure.update_yaxes(
        title="got all they expect",
        tickformat=".0%",
        range=_room(curve["recall"].to_numpy(dtype=np.float64)),
        tickvals=np.round(np.arange(0, 1.01, 0.1), 1),
    )
    figure.update_layout(
        height=300,
        margin={"l": 0, "r": 8, "t": 12, "b": 0},
        showlegend=False,
        clickmode="event+select",
    )
    return figure


def _mark(figure: go.Figure, threshold: float, chosen: Recommendation | None) -> None:
    """The threshold that is set, and the stretch that is recommended."""
    if chosen is not None:
        figure.add_vrect(x0=chosen.lower, x1=chosen.upper, fillcolor=_BEST, line_width=0)
        figure.add_vline(x=chosen.value, line={"color": VIOLET, "width": 1.5, "dash": "dash"})
    figure.add_vline(x=threshold, line={"color": AMBER, "width": 2})
    figure.add_annotation(
        text=f"now {threshold_text(threshold)}",
        x=threshold,
        xref="x",
        y=0,
        yref="paper",
        xanchor="left" if threshold < 0.85 else "right",
        yanchor="bottom",
        showarrow=False,
        font={"color": AMBER},
    )


def _room(values: np.ndarray) -> list[float]:
    known = values[np.isfinite(values)]
    low = float(known.min()) if len(known) else 0.0
    return [max(-0.05, low - 0.15), 1.12]


def _short(text: str) -> str:
    """A question as a label: plain, since Plotly would read markup in it."""
    short = text if len(text) <= 80 else f"{text[:79]}…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
