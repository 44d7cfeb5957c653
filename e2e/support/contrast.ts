/**
 * The contrast as defined by WCAG 2 of what the browser really paints. Axe skips cases that it is
 * not sure of; this does not.
 */
import type { Page } from '@playwright/test'

export interface Weak {
  text: string
  ratio: number
  ink: string
  ground: string
}

/**
 * All texts inside `selector` with a contrast to their background below `minContrast`. Colors are
 * painted on a canvas to get sRGB values for any CSS notation; transparent backgrounds are
 * composited.
 */
export const weakTexts = (page: Page, selector: string, minContrast = 4.5): Promise<Weak[]> =>
  page.evaluate(
    ([where, limit]) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      if (!canvas) throw new Error('no canvas')
      canvas.canvas.width = canvas.canvas.height = 1
      /** The color of these layers on top of each other, lowest first. */
      const painted = (layers: readonly string[]): number[] => {
        canvas.clearRect(0, 0, 1, 1)
        for (const colour of layers) {
          canvas.fillStyle = colour
          canvas.fillRect(0, 0, 1, 1)
        }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      }
      const luminance = (rgb: readonly number[]): number => {
        const [r = 0, g = 0, b = 0] = rgb.map((part) => {
          const value = part / 255
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const weak: Weak[] = []
      for (const root of document.querySelectorAll(where)) {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) {
          const element = texts.currentNode.parentElement
          const text = texts.currentNode.textContent?.trim()
          if (!element || !text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            continue
          if (element.closest('[aria-disabled=true], .sr-only, svg')) continue
          const grounds: string[] = []
          for (let at: Element | null = element; at; at = at.parentElement)
            grounds.unshift(getComputedStyle(at).backgroundColor)
          const ground = painted(grounds)
          const ink = painted([...grounds, getComputedStyle(element).color])
          const [light = 0, dark = 0] = [luminance(ink), luminance(ground)].toSorted((a, b) => b - a)
          const ratio = (light + 0.05) / (dark + 0.05)
          if (ratio < limit)
            weak.push({ text, ratio: Math.round(ratio * 100) / 100, ink: ink.join(), ground: ground.join() })
        }
      }
      return weak
    },
    [selector, minContrast] as const,
  )
