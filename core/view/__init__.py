"""What the app shows, as plain data: page overlay, highlighted rows, decision, figures.

Pure functions over frames and retrievals; the app only draws what they return.
"""
